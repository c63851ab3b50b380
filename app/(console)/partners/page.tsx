import { PartnersSkeleton } from "@/components/partners/list-states";
import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { onPage } from "@/lib/platform/access/on-page";
import { requireUser, requireOwnAccount } from "@/lib/platform/access/require";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PartnersScreen, type ListReader } from "@/components/partners/partners-screen";
import { env } from "@/lib/platform/env/env";
import { partnerKeys, type PartnerFilter } from "@/lib/partners/client/query";
import { listPartners } from "@/lib/partners/server/list/list";
import { partnerQuerySchema, type PartnerQuery } from "@/lib/partners/model/page";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("partners");
  return { title: t("title") };
}

/** The page's query, as it came. */
type Search = Record<string, string | string[] | undefined>;

export default async function PartnersPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [viewer, search] = await Promise.all([onPage("/partners", requireUser()), searchParams]);
  return (
    <ClientMessages namespaces={["partners"]}>
      <Streamed
        fallback={<PartnersSkeleton />}
        load={() => loadedPartners({ reader: viewer.staffRole ?? "member", search })}
      />
    </ClientMessages>
  );
}

type LoadedPartnersProps = { reader: ListReader; search: Search };

/** Reads the first page on the server; from there the browser's query takes over. */
async function loadedPartners({ reader, search }: LoadedPartnersProps) {
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

/** A cut or mistyped address shows the whole list rather than an error. */
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
