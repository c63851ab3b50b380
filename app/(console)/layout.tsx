import { sectionsFor } from "@/lib/platform/access/model/roles";
import { StepUp } from "@/components/account/step-up";
import { ClientMessages } from "@/components/layout/client-messages";
import { ConsoleFrame } from "@/components/layout/console-frame";
import { ProductionEnvironments } from "@/components/layout/nav/environment-badge";
import { QueryProvider } from "@/components/layout/query-provider";
import { openSupportViews } from "@/lib/platform/access/support-view";
import { mustEnrolFirst, signedIn, type SignedIn } from "@/lib/platform/access/viewer";
import { env } from "@/lib/platform/env/env";
import type { ReactNode } from "react";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const person = await signedIn();
  // Each page checks access itself, and knows where to return after signing in.
  if (!person) return children;
  const { viewer } = person;
  const environments = [...env().environments.keys()];
  const production = [...env().productionEnvironments];
  return (
    <ClientMessages namespaces={["problems"]}>
      {/* When another person signs in, the previous person's cached data is dropped. */}
      <QueryProvider key={viewer.id}>
        <ProductionEnvironments names={production}>
          <ConsoleFrame
            user={{
              id: viewer.id,
              name: viewer.name,
              email: viewer.email,
              // A person who has yet to meet the sign-in requirements can open no page.
              staffRole: mustEnrolFirst(person) ? null : viewer.staffRole,
              memberships: (await reachablePartners(person)).map((membership) => ({
                ...membership,
                environments,
                sections: sectionsFor(membership.role),
              })),
            }}
          >
            {children}
          </ConsoleFrame>
          <StepUp />
        </ProductionEnvironments>
      </QueryProvider>
    </ClientMessages>
  );
}

/** The partners that the person can open now. */
async function reachablePartners(person: SignedIn) {
  if (mustEnrolFirst(person)) return [];
  const { viewer, session } = person;
  const views = viewer.staffRole === "support" ? await openSupportViews(session) : [];
  return [
    ...viewer.memberships,
    ...views.map(({ partner }) => ({
      partnerId: partner.id,
      partnerName: partner.name,
      role: "support" as const,
    })),
  ];
}
