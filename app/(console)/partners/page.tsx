import { consolePage, withQueries, type Search } from "@/app/(console)/_page/console-page";
import { PartnersScreen } from "@/components/partners/partners-screen";
import { partnerKeys, type PartnerFilter } from "@/lib/partners/client/query";
import { partnerQuerySchema, type PartnerQuery } from "@/lib/partners/model/page";
import { partnerStatuses } from "@/lib/partners/model/partner-state";
import { listPartners } from "@/lib/partners/server/list/list";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";

const page = consolePage({
  title: "partners",
  namespaces: ["partners"],
  path: () => "/partners",
  access: requireOwnAccount,
  /** The server reads the first page; then the browser's query takes over. */
  async load({ access, search }) {
    const environments = [...env().environments.keys()];
    const query = queryOf(search, environments);
    const found = await listPartners(access, query);
    const filter: PartnerFilter = {
      search: query.search,
      status: query.status ?? null,
      sort: query.sort ?? null,
      environment: found.environment,
    };
    return withQueries(
      [[partnerKeys.list(filter), { pages: [found], pageParams: [null] }]],
      <PartnersScreen
        reader={access.viewer.staffRole ?? "member"}
        environments={environments}
        statuses={statusesToday()}
        initial={filter}
      />,
    );
  },
});

export const { generateMetadata } = page;
export default page.Page;

/** The list can only know of failing endpoints if Gancho checks them daily. */
function statusesToday() {
  const isChecked = env().endpointChecks === "daily";
  return partnerStatuses.filter((status) => isChecked || status !== "endpoint_fails");
}

/** A truncated or mistyped URL shows the whole list instead of an error. */
function queryOf(search: Search, environments: readonly string[]): PartnerQuery {
  const query = partnerQuerySchema.safeParse(search).data;
  const known = environments.find((name) => name === query?.environment);
  return {
    search: query?.search ?? "",
    ...(query?.status && { status: query.status }),
    ...(query?.sort && { sort: query.sort }),
    ...(known !== undefined && { environment: known }),
  };
}
