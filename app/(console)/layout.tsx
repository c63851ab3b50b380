import { ClientMessages } from "@/components/shell/client-messages";
import { ConsoleFrame } from "@/components/shell/console-frame";
import { QueryProvider } from "@/components/shell/query-provider";
import { currentViewer } from "@/lib/access/viewer";
import { env } from "@/lib/env";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const viewer = await currentViewer();
  if (!viewer) redirect("/sign-in");
  const environments = [...env().environments.keys()];
  return (
    <ClientMessages namespaces={["common", "shell", "problems", "webhooks"]}>
      <QueryProvider>
        <ConsoleFrame
          user={{
            id: viewer.id,
            name: viewer.name,
            email: viewer.email,
            staffRole: viewer.staffRole,
            memberships: viewer.memberships.map((membership) => ({ ...membership, environments })),
          }}
        >
          {children}
        </ConsoleFrame>
      </QueryProvider>
    </ClientMessages>
  );
}
