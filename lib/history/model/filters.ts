import type { HistoryFilters } from "./address";

// Not in address.ts or show.ts: the browser needs these and no schemas.

/** The owner of a history: a partner, or the people of the installation. */
export type HistoryScope = "partner" | "people";

/** The filters of a history. Without one: everything but attempts whose end is recorded. */
export const shows = {
  partner: ["changes", "failures", "outside", "access", "connection", "team", "partner", "every"],
  people: ["sign_ins", "refusals", "credentials", "staff"],
} as const satisfies Record<HistoryScope, readonly string[]>;
export type HistoryFilter = (typeof shows)[HistoryScope][number];

/** In the filter by person: nobody known to Gancho. */
export const outsideActor = "outside";

/** The address of the history with these filters, from `cursor` on where it is given. */
export function historyPath(basePath: string, filters: HistoryFilters, cursor?: string): string {
  const search = new URLSearchParams({ ...filters, ...(cursor ? { cursor } : {}) });
  return search.size > 0 ? `${basePath}?${search}` : basePath;
}
