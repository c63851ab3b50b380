import { BareFrame } from "@/components/layout/bare-frame";
import { ClientMessages } from "@/components/layout/client-messages";
import { QueryProvider } from "@/components/layout/query-provider";
import type { ReactNode } from "react";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages namespaces={["signIn"]}>
      <QueryProvider>
        <BareFrame>
          <div className="contents">{children}</div>
        </BareFrame>
      </QueryProvider>
    </ClientMessages>
  );
}
