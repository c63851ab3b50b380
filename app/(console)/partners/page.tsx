import { consolePage, withQueries } from "@/app/(console)/_page/console-page";
import { PartnersScreen } from "@/components/partners/partners-screen";
import { filterIn, filterParams, partnerKeys } from "@/lib/partners/client/query";
import { partnerQuerySchema } from "@/lib/partners/model/page";
import { partnerStatuses } from "@/lib/partners/model/partner-state";
import { listWithAttention } from "@/lib/attention/server/partners";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";

const { generateMetadata, Page } = consolePage({
  title: "partners",
  path: () => "/partners",
  access: requireOwnAccount,
  /** The server reads the first page; then the browser's query takes over. */
  async load({ access, here }) {
    const [environments, main] = [[...env().environments.keys()], mainEnvironment()];
    const filter = filterIn(new URLSearchParams(here.split("?")[1]), environments, main);
    const query = partnerQuerySchema.parse(Object.fromEntries(filterParams(filter)));
    const found = await listWithAttention(access, query);
    return withQueries(
      [[partnerKeys.list(filter), { pages: [found], pageParams: [null] }]],
      <PartnersScreen
        reader={access.viewer.staffRole ?? "member"}
        environments={environments}
        main={main}
        statuses={statusesToday()}
        invites={env().oidc?.isOnlyWay !== true}
      />,
    );
  },
});

export { generateMetadata, Page as default };

/** Without those that no partner can have: of daily checks, and of a second person that every partner needs. */
function statusesToday() {
  const { endpointChecks, requireFourEyes } = env();
  return partnerStatuses.filter(
    (status) =>
      (endpointChecks === "daily" || status !== "endpoint_fails") &&
      (requireFourEyes || status !== "no_second_person"),
  );
}
