import { BareFrame } from "@/components/shell/bare-frame";
import { ClientMessages } from "@/components/shell/client-messages";
import type { ReactNode } from "react";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages namespaces={["common", "shell", "signIn"]}>
      <BareFrame>{children}</BareFrame>
    </ClientMessages>
  );
}
