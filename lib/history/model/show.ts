import { historyKinds, kinds } from "./entry";
import type { HistoryFilter } from "./filters";
import type { Subject } from "./kind";

/** The entries that match a filter. Without `kinds`: all; without `outcomes`: any. */
type Part = {
  kinds?: readonly string[];
  outcomes?: readonly string[];
};

export const filterCriteria: Record<HistoryFilter, Part> = {
  /** What the service showed as new. */
  changes: { kinds: ["save_shown", "changed_outside"] },
  /** Not sent, not accepted, not answered or not shown. */
  failures: {
    kinds: ["save_sent", "save_not_shown"],
    outcomes: ["not_sent", "refused", "unclear", "not_shown"],
  },
  outside: { kinds: ["changed_outside", "outside_acknowledged", "incident_closed"] },
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
