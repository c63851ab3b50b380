import { NoHistory, NoSuchPlace, NothingFits } from "@/components/history/history-states";
import { Timeline } from "@/components/history/timeline";
import { readHistory, type HistoryPage } from "@/lib/history/read";
import { historyPath, type HistoryFilters } from "@/lib/history/view/address";
import type { HistoryQuery } from "@/lib/history/view/query";
import { ProblemError } from "@/lib/problem";

type Props = { partnerId: string; place: string; filters: HistoryFilters; query: HistoryQuery };

export async function LoadedHistory({ partnerId, place, filters, query }: Props) {
  const newestHref = historyPath(place, filters);
  const page = await unlessNoSuchPlace(readHistory(partnerId, query));
  if (!page) return <NoSuchPlace newestHref={newestHref} />;
  const olderHref = page.nextCursor && historyPath(place, filters, page.nextCursor);
  if (page.entries.length > 0)
    return (
      <Timeline
        entries={page.entries}
        olderHref={olderHref}
        newestHref={query.cursor === undefined ? null : newestHref}
      />
    );
  const isFiltered = Object.keys(filters).length > 0;
  return isFiltered || olderHref ? (
    <NothingFits clearHref={place} olderHref={olderHref} />
  ) : (
    <NoHistory />
  );
}

/** null where the cursor was not handed out for this history. */
async function unlessNoSuchPlace(page: Promise<HistoryPage>): Promise<HistoryPage | null> {
  try {
    return await page;
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === "invalid_fields") return null;
    throw thrown;
  }
}
