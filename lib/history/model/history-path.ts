import type { HistoryFilters } from "./address";

// Not in address.ts: the browser needs this and no schemas.

/** The address of the history with these filters, from `cursor` on where it is given. */
export function historyPath(basePath: string, filters: HistoryFilters, cursor?: string): string {
  const search = new URLSearchParams({ ...filters, ...(cursor ? { cursor } : {}) });
  return search.size > 0 ? `${basePath}?${search}` : basePath;
}
