/**
 * How a save ended. `accepted`: the service acknowledged it and does not show it yet. `overtaken`: another change came
 * before this one was seen. `not_applied`: acknowledged or unclear, and not seen for as long as Gancho followed it.
 */
export const saveOutcomes = [
  "saved",
  "unchanged",
  "partial",
  "not_saved",
  "accepted",
  "unknown",
  "overtaken",
  "not_applied",
] as const;

/** The same for one type. */
export const typeOutcomes = [
  "created",
  "overwritten",
  "unchanged",
  "not_saved",
  "accepted",
  "unknown",
  "overtaken",
  "not_applied",
] as const;
