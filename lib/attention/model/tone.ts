import { toneOf as toneOfVerdict } from "@/lib/endpoint-check/model/verdict";
import type { AttentionItem, IncidentSteps } from "./answer";

// Without the schemas, and without how the list is made: every page loads this.

/** How bad it is; never said by colour alone. */
export type AttentionTone = "bad" | "warn" | "info";

export function toneOf(item: AttentionItem): AttentionTone {
  switch (item.kind) {
    case "difference":
    case "exposed":
    case "failing":
      return "bad";
    case "endpoint":
      return toneOfVerdict(item.verdict) === "bad" ? "bad" : "warn";
    case "waiting":
    case "not_read":
      return "info";
    default:
      return "warn";
  }
}

/** null: all is well. */
export function worstTone(items: readonly AttentionItem[]): AttentionTone | null {
  const tones = items.map(toneOf);
  return (["bad", "warn", "info"] as const).find((tone) => tones.includes(tone)) ?? null;
}

/** Of the environment used last, in a cookie. */
export function placeName({ partner, environment }: { partner: string; environment: string }) {
  return `${partner}/${environment}`;
}

/** How many of the first three steps are done. */
export function stepsDone(steps: IncidentSteps): number {
  return Object.values(steps).filter(Boolean).length;
}
