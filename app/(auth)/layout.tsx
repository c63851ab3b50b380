import { BareFrame } from "@/components/layout/bare-frame";
import { QueryProvider } from "@/components/layout/query-provider";
import type { ReactNode } from "react";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <QueryProvider>
      <BareFrame>
        <div className="contents">{children}</div>
      </BareFrame>
    </QueryProvider>
  );
}
