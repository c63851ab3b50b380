import type { SaveOutcome, TypeOutcome } from "@/lib/webhooks/model/configuration";

/** One word for the whole save. A type that had nothing to change does not count, unless there is no other. */
export function outcomeOf(outcomes: readonly TypeOutcome[]): SaveOutcome {
  const asked = new Set(outcomes.filter((outcome) => outcome !== "unchanged"));
  if (asked.size === 0) return "unchanged";
  const done = asked.has("created") || asked.has("overwritten");
  const failed = (["overtaken", "not_applied", "not_saved"] as const).filter((outcome) =>
    asked.has(outcome),
  );
  if (done && asked.has("unknown")) return "partial";
  if (asked.has("unknown") || (asked.has("accepted") && failed.length > 0)) return "unknown";
  if (asked.has("accepted")) return "accepted";
  const [first] = failed;
  if (!first) return "saved";
  return done ? "partial" : first;
}
