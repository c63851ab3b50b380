import { verdicts, type Verdict } from "@/lib/endpoint-check/model/check";
import type { HistoryDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { Activity } from "lucide-react";
import type { Tone, Description, Translate } from "./description";

/** What Gancho's own messages to an address found; null for an unknown outcome. */
export function describeEndpointCheck(
  { url, typed, sent, replaced }: HistoryDetail["endpoint_checked"],
  { outcome, types: [type] }: HistoryItem,
  t: Translate,
): Description | null {
  const verdict = verdicts.find((known) => known === outcome);
  if (!type || !verdict) return null;
  const types = t(`webhooks.typesList.${type}`);
  return {
    // A refusal of a value that was never registered proves nothing.
    tone: replaced && replaced !== "known" ? "neutral" : toneOf(verdict),
    icon: Activity,
    sentence: t(
      `timeline.entry.${typed ? "endpointTypedChecked" : replaced ? "endpointOldChecked" : "endpointChecked"}`,
      { types },
    ),
    notes: [
      t(`timeline.entry.endpointVerdict.${verdict}`),
      url,
      t(`timeline.entry.endpointSent.${sent ?? "none"}`),
      ...(replaced ? [t(`timeline.entry.endpointReplaced.${replaced}`)] : []),
    ],
  };
}

function toneOf(verdict: Verdict): Tone {
  if (verdict === "enforced" || verdict === "replaced_refused") return "ok";
  return verdict === "refuses_without" || verdict === "unclear" ? "neutral" : "bad";
}
