import { attentionOfPage, reachablePartners } from "@/app/(console)/_page/attention";
import { withQueries } from "@/app/(console)/_page/console-page";
import { attentionKeys } from "@/lib/attention/client/query";
import { sectionsFor } from "@/lib/platform/access/model/roles";
import { StepUp } from "@/components/account/step-up";
import { ConsoleFrame } from "@/components/layout/console-frame";
import { ProductionEnvironments } from "@/components/layout/nav/environment-badge";
import { QueryProvider } from "@/components/layout/query-provider";
import { mustEnrolFirst, signedIn } from "@/lib/platform/access/viewer";
import { env } from "@/lib/platform/env/env";
import type { ReactNode } from "react";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const person = await signedIn();
  // Each page checks access itself, and knows where to return after signing in.
  if (!person) return children;
  const { viewer } = person;
  const memberships = await reachablePartners();
  // With the page, so that the navigation says at once where all is well.
  const attention = await attentionOfPage();
  const environments = [...env().environments.keys()];
  const production = [...env().productionEnvironments];
  return (
    // When another person signs in, the previous person's cached data is dropped.
    <QueryProvider key={viewer.id}>
      <ProductionEnvironments names={production}>
        {withQueries(
          attention.map((each) => [attentionKeys.of(each.partner), each] as const),
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
