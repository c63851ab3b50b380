import { exportPaths, queryOf } from "@/app/(console)/_history/history-query";
import { loadedHistory } from "@/app/(console)/_history/loaded-history";
import { ActivityHeader, ExportMenu } from "@/components/history/history-header";
import { HistoryFilterBar } from "@/components/history/history-filters";
import { TimelineSkeleton } from "@/components/history/timeline";
import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { ForbiddenState } from "@/components/layout/states/state";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import { requireStaff } from "@/lib/platform/access/require";
import { activityActors, readActivity } from "@/lib/history/server/read/activity";
import { filtersOf } from "@/lib/history/model/address";
import { historyPath } from "@/lib/history/model/filters";
import type { Metadata } from "next";
import { getTimeZone, getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("timeline.activity");
  return { title: t("title") };
}

const basePath = "/installation/activity";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function ActivityPage({ searchParams }: Props) {
  const search = await searchParams;
  const filters = filtersOf(search, "people");
  const cursor = typeof search["cursor"] === "string" ? search["cursor"] : undefined;
  const here = historyPath(basePath, filters, cursor);
  const access = await onPage(here, unlessForbidden(here, requireStaff("installation.read")));
  if (!access) return <ForbiddenState />;
  const actors = await activityActors(access);
  const query = queryOf(filters, await getTimeZone());
  return (
    <ClientMessages namespaces={["webhooks", "timeline"]}>
      <div className="flex flex-col gap-5">
        <ActivityHeader
          actions={<ExportMenu {...exportPaths("/api/installation/activity", query)} />}
        />
        <HistoryFilterBar scope="people" basePath={basePath} filters={filters} actors={actors} />
        <Streamed
          key={here}
          fallback={<TimelineSkeleton />}
          load={() =>
            loadedHistory({
              scope: "people",
              basePath,
              filters,
              query: cursor === undefined ? query : { ...query, cursor },
              read: (wanted) => readActivity(access, wanted),
            })
          }
        />
      </div>
    </ClientMessages>
  );
}
