import {
  NoHistory,
  InvalidCursor,
  NoMatches,
  RemovedNote,
  Timeline,
} from "@/components/history/timeline";
import type { HistoryPage } from "@/lib/history/server/verify/read-chain";
import type { HistoryFilters } from "@/lib/history/model/address";
import { historyPath } from "@/lib/history/model/filters";
import type { HistoryQuery } from "@/lib/history/model/query";
import type { HistoryScope } from "@/lib/history/model/filters";
import { ProblemError } from "@/lib/platform/http/model/problem";

type Props = {
  scope: HistoryScope;
  /** The page's address without filters. */
  basePath: string;
  filters: HistoryFilters;
  query: HistoryQuery;
  read: (query: HistoryQuery) => Promise<HistoryPage>;
  /** The Webhooks page, for a person who may restore an address there. */
  restoresAt?: string | undefined;
};

export async function loadedHistory({ scope, basePath, filters, query, read, restoresAt }: Props) {
  const newestHref = historyPath(basePath, filters);
  const page = await unlessInvalidCursor(read(query));
  if (!page) return <InvalidCursor newestHref={newestHref} />;
  const olderHref = page.nextCursor && historyPath(basePath, filters, page.nextCursor);
  if (page.entries.length > 0)
    return (
      <Timeline
        entries={page.entries}
        olderHref={olderHref}
        newestHref={query.cursor === undefined ? null : newestHref}
        restoresAt={restoresAt}
        removed={page.removed}
      />
    );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <div className="flex flex-col gap-4">
      {isFiltered || olderHref ? (
        <NoMatches clearHref={basePath} olderHref={olderHref} />
      ) : (
        <NoHistory scope={scope} />
      )}
      {page.removed ? <RemovedNote removed={page.removed} /> : null}
    </div>
  );
}

/** null where the cursor was not issued for this history. */
async function unlessInvalidCursor(page: Promise<HistoryPage>): Promise<HistoryPage | null> {
  try {
    return await page;
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === "invalid_fields") return null;
    throw thrown;
  }
}
