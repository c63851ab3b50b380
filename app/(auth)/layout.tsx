import { BareFrame } from "@/components/layout/bare-frame";
import { ClientMessages } from "@/components/layout/client-messages";
import type { ReactNode } from "react";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages namespaces={["common", "shell", "signIn"]}>
      <BareFrame>{children}</BareFrame>
    </ClientMessages>
  );
}
