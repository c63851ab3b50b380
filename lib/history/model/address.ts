import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import { actorId } from "./query";
import { shows, type HistoryFilter, type HistoryScope } from "./filters";

/** Years 2000 to 2999: the day after must be a valid date, too. */
const day = z.iso.date().check(z.startsWith("2"));

/** The filters in the history page's address. Days are in the reader's time zone. */
const fields = {
  type: z.enum(webhookTypes),
  actor: actorId,
  from: day,
  to: day,
};

export type HistoryFilters = { [Name in keyof typeof fields]?: z.infer<(typeof fields)[Name]> } & {
  show?: HistoryFilter;
};

/** An address's query. The framework gives repeated names as a list. */
type Search = Record<string, string | string[] | undefined>;

/** Drops invalid filters, so that the entries and the filters on screen agree. */
export function filtersOf(search: Search, scope: HistoryScope = "partner"): HistoryFilters {
  const show = shows[scope].find((one) => one === search["show"]);
  return {
    ...(show && { show }),
    ...(scope === "partner" && valid("type", search)),
    ...valid("actor", search),
    ...valid("from", search),
    ...valid("to", search),
  };
}

function valid<Name extends keyof typeof fields>(name: Name, search: Search): HistoryFilters {
  const parsed = z.safeParse(fields[name], search[name]);
  return parsed.success ? { [name]: parsed.data } : {};
}
