import "server-only";
import type { Fault } from "@/lib/partner-api/fault";
import { ProblemError, type ProblemCode } from "@/lib/problem";
import type { SaveOutcome, SaveResult } from "./configuration";
import { problemInitOf } from "./fault-problem";

/** Why a save did not simply succeed, for the history and the answer alike; null where it did. */
export function reasonOf(outcome: SaveOutcome, fault: Fault | null): ProblemCode | null {
  switch (outcome) {
    case "saved":
    case "unchanged":
      return null;
    case "not_saved":
      return fault?.code ?? "not_saved";
    case "partial":
      return "partly_saved";
    case "unknown":
      return "outcome_unknown";
  }
}

/** The end of a save that is not `saved` or `unchanged`: a problem with the members of a save's answer. */
export function saveProblem(result: SaveResult, fault: Fault | null): ProblemError {
  const { outcome, results, configuration } = result;
  const init = fault ? problemInitOf(fault) : {};
  return new ProblemError(reasonOf(outcome, fault) ?? "internal_error", {
    ...init,
    // Only what surely changed nothing may be tried again without looking first.
    retryable: outcome === "not_saved" && (fault?.retryable ?? true),
    applied: outcome === "not_saved" ? "no" : "unknown",
    extra: { ...init.extra, ...(fault && { cause: fault.code }), outcome, results, configuration },
  });
}
