import { StepUp } from "@/components/account/step-up";
import { ClientMessages } from "@/components/shell/client-messages";
import { ConsoleFrame } from "@/components/shell/console-frame";
import { QueryProvider } from "@/components/shell/query-provider";
import { sectionsFor } from "@/lib/access/sections";
import { openSupportViews } from "@/lib/access/support-view";
import { isHeldBack, signedIn, type SignedIn } from "@/lib/access/viewer";
import { env } from "@/lib/env";
import type { ReactNode } from "react";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const person = await signedIn();
  // Each page judges for itself, and knows where to come back to after signing in.
  if (!person) return children;
  const { viewer } = person;
  const environments = [...env().environments.keys()];
  return (
    <ClientMessages namespaces={["common", "shell", "problems", "webhooks", "history"]}>
      <QueryProvider>
        <ConsoleFrame
          user={{
            id: viewer.id,
            name: viewer.name,
            email: viewer.email,
            // Nothing of theirs opens before they have what is required of them.
            staffRole: isHeldBack(person) ? null : viewer.staffRole,
            memberships: (await placesOf(person)).map((place) => ({
              ...place,
              environments,
              sections: sectionsFor(place.role),
            })),
          }}
        >
          {children}
        </ConsoleFrame>
        <StepUp />
      </QueryProvider>
    </ClientMessages>
  );
}

/** The partners that the person can be at now. */
async function placesOf(person: SignedIn) {
  if (isHeldBack(person)) return [];
  const { viewer } = person;
  const views = viewer.staffRole === "support" ? await openSupportViews(viewer.id) : [];
  return [
    ...viewer.memberships,
    ...views.map(({ partner }) => ({
      partnerId: partner.id,
      partnerName: partner.name,
      role: "support" as const,
    })),
  ];
}
