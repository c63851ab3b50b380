import type { Verdict } from "@/lib/endpoint-check/model/check";

/** A certificate with fewer days left than this needs attention. */
export const soonDays = 21;

const tones: Partial<Record<Verdict, "ok" | "info" | "bad">> = {
  enforced: "ok",
  refuses_without: "info",
  unclear: "info",
  unreachable: "bad",
  not_enforced: "bad",
};

export function toneOf(verdict: Verdict): "ok" | "info" | "bad" | "warn" {
  return tones[verdict] ?? "warn";
}
