import { exportPaths, queryOf } from "@/app/(console)/_history/history-query";
import { loadedHistory } from "@/app/(console)/_history/loaded-history";
import { ExportMenu, HistoryHeader } from "@/components/history/history-header";
import { HistoryFilterBar } from "@/components/history/history-filters";
import { TimelineSkeleton } from "@/components/history/timeline";
import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { onPage } from "@/lib/platform/access/on-page";
import {
  requireEnvironment,
  requirePartner,
  type PartnerAccess,
} from "@/lib/platform/access/require";
import { may } from "@/lib/platform/access/model/roles";
import { historyActors } from "@/lib/history/server/read/actors";
import { readHistory } from "@/lib/history/server/read/read";
import { filtersOf } from "@/lib/history/model/address";
import { historyPath } from "@/lib/history/model/filters";
import type { Metadata } from "next";
import { getTimeZone, getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("timeline");
  return { title: t("title") };
}

type Props = {
  params: Promise<{ partner: string; environment: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function HistoryPage({ params, searchParams }: Props) {
  const { partner: partnerId, environment } = await params;
  const search = await searchParams;
  const basePath = `/partners/${partnerId}/${environment}/history`;
  const filters = filtersOf(search);
  const cursor = typeof search["cursor"] === "string" ? search["cursor"] : undefined;
  const here = historyPath(basePath, filters, cursor);
  const access = await onPage(here, accessTo(partnerId, environment));
  const { partner } = access;
  const query = { ...queryOf(filters, await getTimeZone()), environment };
  return (
    <ClientMessages namespaces={["webhooks", "timeline"]}>
      <div className="flex flex-col gap-5">
        <HistoryHeader
          partnerName={partner.name}
          environment={environment}
          actions={<ExportMenu {...exportPaths(`/api/partners/${partner.id}/history`, query)} />}
        />
        <HistoryFilterBar
          scope="partner"
          basePath={basePath}
          filters={filters}
          actors={await historyActors(access)}
        />
        <Streamed
          key={here}
          fallback={<TimelineSkeleton />}
          load={() =>
            loadedHistory({
              scope: "partner",
              basePath,
              filters,
              query: cursor === undefined ? query : { ...query, cursor },
              read: (wanted) => readHistory(access, wanted),
              restoresAt: may(access.role, "webhooks.write")
                ? `/partners/${partnerId}/${environment}/webhooks`
                : undefined,
            })
          }
        />
      </div>
    </ClientMessages>
  );
}

async function accessTo(
  partner: string,
  environment: string,
): Promise<PartnerAccess<"history.read">> {
  const access = await requirePartner(partner, "history.read");
  requireEnvironment(environment);
  return access;
}
