import { historyKinds, kinds } from "./entry";
import type { HistoryFilter } from "./filters";
import type { Subject } from "./kind";

/** The entries that match a filter. Without `kinds`: all; without `outcomes`: any. */
type Part = {
  kinds?: readonly string[];
  outcomes?: readonly string[];
  /** Also saves with a confirmed address whose value the service does not show, or shows another. */
  orAddressConfirmed?: boolean;
};

export const filterCriteria: Record<HistoryFilter, Part> = {
  /** Took effect at the service. */
  changes: {
    kinds: ["save", "changed_outside", "shown_again"],
    outcomes: ["saved", "partial", "seen"],
    orAddressConfirmed: true,
  },
  /** Did not fully take effect, or was not confirmed. */
  failures: {
    kinds: ["save"],
    outcomes: ["partial", "not_saved", "accepted", "unknown", "overtaken", "not_applied"],
  },
  outside: { kinds: ["changed_outside", "shown_again", "outside_acknowledged"] },
  access: { kinds: about("access") },
  connection: { kinds: about("connection") },
  team: { kinds: about("team") },
  partner: { kinds: about("partner") },
  every: {},

  sign_ins: { kinds: about("sign_in") },
  refusals: { kinds: about("refusal") },
  credentials: { kinds: about("credentials") },
  staff: { kinds: about("staff") },
};

function about(subject: Subject): string[] {
  return historyKinds.filter((kind) => kinds[kind].about === subject);
}
