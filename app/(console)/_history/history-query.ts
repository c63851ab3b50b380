import type { HistoryFilters } from "@/lib/history/model/address";
import type { HistoryQuery } from "@/lib/history/model/query";
import { startOfDay } from "@/lib/platform/i18n/start-of-day";

/** The page's filters as a query: days of the reader's time zone become timestamps. */
export function queryOf({ from, to, ...filters }: HistoryFilters, timeZone: string): HistoryQuery {
  return {
    ...filters,
    ...(from === undefined ? {} : { from: new Date(startOfDay(from, timeZone)).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(startOfDay(dayAfter(to), timeZone)).toISOString() }),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** Where the same entries can be downloaded as files. `route` also answers with them as JSON pages. */
export function exportPaths(
  route: string,
  query: HistoryQuery,
): { csvHref: string; jsonHref: string } {
  const path = (format: "csv" | "json") => {
    const search = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
    return `${route}?${search}`;
  };
  return { csvHref: path("csv"), jsonHref: path("json") };
}
