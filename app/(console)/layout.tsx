import { withQueries } from "@/app/(console)/_page/console-page";
import { attentionKeys } from "@/lib/attention/client/query";
import { readAttention } from "@/lib/attention/server/attention";
import { requirePartner } from "@/lib/platform/access/require";
import { sectionsFor } from "@/lib/platform/access/model/roles";
import { StepUp } from "@/components/account/step-up";
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
  const memberships = await reachablePartners(person);
  const environments = [...env().environments.keys()];
  const production = [...env().productionEnvironments];
  return (
    // When another person signs in, the previous person's cached data is dropped.
    <QueryProvider key={viewer.id}>
      <ProductionEnvironments names={production}>
        {withQueries(
          await attentionAt(memberships),
          <ConsoleFrame
            user={{
              id: viewer.id,
              name: viewer.name,
              email: viewer.email,
              // A person who has yet to meet the sign-in requirements can open no page.
              staffRole: mustEnrolFirst(person) ? null : viewer.staffRole,
              memberships: memberships.map((membership) => ({
                ...membership,
                environments,
                sections: sectionsFor(membership.role),
              })),
            }}
          >
            {children}
          </ConsoleFrame>,
        )}
        <StepUp />
      </ProductionEnvironments>
    </QueryProvider>
  );
}

/** People have few partners; of others, the browser asks when they open them. */
const readAtFirst = 3;

/** With the page, so that the navigation says at once where all is well. */
function attentionAt(memberships: readonly { partnerId: string }[]) {
  return Promise.all(
    memberships.slice(0, readAtFirst).map(async ({ partnerId }) => {
      const access = await requirePartner(partnerId, "webhooks.read");
      return [attentionKeys.of(partnerId), await readAttention(access)] as const;
    }),
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
