import type { Search } from "@/app/(console)/_page/console-page";
import { HistoryFilterBar } from "@/components/history/history-filters";
import { ExportMenu } from "@/components/history/export-menu";
import {
  NothingShown,
  RemovedNote,
  Timeline,
  TimelineSkeleton,
} from "@/components/history/timeline";
import { PageHeader } from "@/components/layout/page-header";
import { Streamed } from "@/components/layout/streamed";
import { filtersOf, type HistoryFilters } from "@/lib/history/model/address";
import { historyPath, type HistoryScope } from "@/lib/history/model/filters";
import type { HistoryQuery } from "@/lib/history/model/query";
import type { OfferedActors } from "@/lib/history/server/read/actors";
import type { HistoryPage } from "@/lib/history/server/verify/read-chain";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { startOfDay } from "@/lib/platform/i18n/start-of-day";
import { getTimeZone } from "next-intl/server";
import type { ComponentProps } from "react";

type Props = {
  scope: HistoryScope;
  /** The page's search parameters, and its whole URL. */
  request: { search: Search; here: string };
  header: Pick<ComponentProps<typeof PageHeader>, "title" | "intro" | "back">;
  /** The page's URL without filters. */
  basePath: string;
  /** Narrows every query to what the page is about. */
  about?: Pick<HistoryQuery, "environment">;
  actors: OfferedActors;
  read: (query: HistoryQuery) => Promise<HistoryPage>;
  /** The route that exports the same entries. */
  route: string;
  /** The path of the Webhooks page, if the viewer may restore an address there. */
  restoresAt?: string | undefined;
};

/** The History page of a partner, or the activity page of the installation's people. */
export async function historyPage(props: Props) {
  const { scope, header, basePath, request, about, actors, route } = props;
  const filters = filtersOf(request.search, scope);
  const query = { ...queryOf(filters, await getTimeZone()), ...about };
  return (
    <div className="flex flex-col gap-5">
      <PageHeader {...header} actions={<ExportMenu {...exportPaths(route, query)} />} />
      <HistoryFilterBar scope={scope} basePath={basePath} filters={filters} actors={actors} />
      <Streamed
        key={request.here}
        fallback={<TimelineSkeleton />}
        load={() => loadedEntries(props, filters, query)}
      />
    </div>
  );
}

async function loadedEntries(
  { scope, basePath, request: { search }, read, restoresAt }: Props,
  filters: HistoryFilters,
  query: HistoryQuery,
) {
  const cursor = typeof search["cursor"] === "string" ? search["cursor"] : undefined;
  const newestHref = historyPath(basePath, filters);
  const page = await read({ ...query, ...(cursor && { cursor }) }).catch((thrown: unknown) => {
    // The cursor was not issued for this history.
    if (thrown instanceof ProblemError && thrown.code === "invalid_fields") return null;
    throw thrown;
  });
  if (!page) return <NothingShown why="cursor" scope={scope} href={newestHref} />;
  const olderHref = page.nextCursor && historyPath(basePath, filters, page.nextCursor);
  if (page.entries.length > 0)
    return (
      <Timeline
        entries={page.entries}
        olderHref={olderHref}
        newestHref={cursor === undefined ? null : newestHref}
        restoresAt={restoresAt}
        removed={page.removed}
      />
    );
  const why = olderHref ? "notYet" : Object.keys(filters).length > 0 ? "filtered" : "none";
  return (
    <div className="flex flex-col gap-4">
      <NothingShown why={why} scope={scope} href={olderHref} />
      {page.removed ? <RemovedNote removed={page.removed} /> : null}
    </div>
  );
}

/** Turns the filters into a query: days in the reader's time zone become timestamps. */
function queryOf({ from, to, ...filters }: HistoryFilters, timeZone: string): HistoryQuery {
  const start = (day: string) => new Date(startOfDay(day, timeZone)).toISOString();
  return {
    ...filters,
    ...(from !== undefined && { from: start(from) }),
    ...(to !== undefined && { to: start(dayAfter(to)) }),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

function exportPaths(route: string, query: HistoryQuery): ComponentProps<typeof ExportMenu> {
  const path = (format: "csv" | "json") => {
    const search = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
    return `${route}?${search}`;
  };
  return { csvHref: path("csv"), jsonHref: path("json") };
}
