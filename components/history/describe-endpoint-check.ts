import { verdicts, type Verdict } from "@/lib/endpoint-check/model/check";
import type { HistoryDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { Activity } from "lucide-react";
import type { Tone, Description, Translate } from "./description";

/** What Gancho's own messages to an address found; null for an unknown outcome. */
export function describeEndpointCheck(
  { url, typed, sent }: HistoryDetail["endpoint_checked"],
  { outcome, types: [type] }: HistoryItem,
  t: Translate,
): Description | null {
  const verdict = verdicts.find((known) => known === outcome);
  if (!type || !verdict) return null;
  const types = t(`webhooks.typesList.${type}`);
  return {
    tone: toneOf(verdict),
    icon: Activity,
    sentence: t(`timeline.entry.${typed ? "endpointTypedChecked" : "endpointChecked"}`, { types }),
    notes: [
      t(`timeline.entry.endpointVerdict.${verdict}`),
      url,
      t(`timeline.entry.endpointSent.${sent ?? "none"}`),
    ],
  };
}

function toneOf(verdict: Verdict): Tone {
  if (verdict === "enforced") return "ok";
  return verdict === "refuses_without" || verdict === "unclear" ? "neutral" : "bad";
}
