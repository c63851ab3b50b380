import { PartnersScreen, type ListReader } from "@/components/partners/partners-screen";
import { env } from "@/lib/platform/env/env";
import { partnerKeys, type PartnerFilter } from "@/lib/partners/client/keys";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { listPartners } from "@/lib/partners/server/list/list";
import { partnerQuerySchema, type PartnerQuery } from "@/lib/partners/model/page";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";

type Props = {
  reader: ListReader;
  /** The page's query, as it came. */
  search: Record<string, string | string[] | undefined>;
};

/** Reads the first page on the server; from there the browser's query goes on. */
export async function LoadedPartners({ reader, search }: Props) {
  const environments = [...env().environments.keys()];
  const query = queryOf(search, environments);
  const page = await listPartners(await requireOwnAccount(), query);
  const filter: PartnerFilter = {
    search: query.search,
    status: query.status ?? null,
    sort: query.sort ?? null,
    environment: page.environment,
  };
  const queryClient = new QueryClient();
  queryClient.setQueryData(partnerKeys.list(filter), { pages: [page], pageParams: [null] });
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <PartnersScreen reader={reader} environments={environments} initial={filter} />
    </HydrationBoundary>
  );
}

/** An address that was cut or typed wrongly shows the whole list rather than an error. */
function queryOf(search: Props["search"], environments: readonly string[]): PartnerQuery {
  const query = partnerQuerySchema.safeParse(search).data;
  const known = environments.find((name) => name === query?.environment);
  return {
    search: query?.search ?? "",
    ...(query?.status && { status: query.status }),
    ...(query?.sort && { sort: query.sort }),
    ...(known !== undefined && { environment: known }),
  };
}
