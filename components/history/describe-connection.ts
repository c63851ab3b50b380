import type { HistoryDetail } from "@/lib/history/model/entry";
import type { HistoryItem } from "@/lib/history/model/item";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { Hourglass, Plug, PlugZap, Unplug } from "lucide-react";
import { approvedBy } from "./describe-save";
import type { Description, Translate } from "./description";

export function describeConnectionChanged(
  {
    clientIdBefore,
    clientIdAfter,
    secretReplaced,
    check,
    proposal,
  }: HistoryDetail["connection_changed"],
  { actor }: HistoryItem,
  t: Translate,
): Description {
  const isNew = clientIdBefore === null;
  const moved = clientIdBefore !== clientIdAfter;
  return {
    tone: "neutral",
    icon: Plug,
    sentence: t(`timeline.entry.${isNew ? "connectionSetUp" : "connectionChanged"}`),
    notes: [
      isNew || !moved
        ? t("timeline.entry.clientId", { id: clientIdAfter })
        : t("timeline.entry.clientIdMoved", { before: clientIdBefore, after: clientIdAfter }),
      ...(secretReplaced && !isNew ? [t("timeline.entry.secretReplaced")] : []),
      ...(isProblemCode(check)
        ? [t("timeline.entry.savedInSpiteOf", { problem: t(`problems.${check}.title`) })]
        : []),
      ...approvedBy(proposal, actor, t),
    ],
  };
}

export function describeCredentialsProposed(
  detail: HistoryDetail["connection_proposal_made"],
  _item: HistoryItem,
  t: Translate,
): Description {
  const { clientIdBefore: before, clientIdAfter: after, secretReplaced, check, reason } = detail;
  return {
    tone: "neutral",
    icon: Hourglass,
    sentence: t("timeline.entry.credentialsProposed"),
    notes: [
      t("timeline.entry.proposedUntil"),
      before === after
        ? t("timeline.entry.clientId", { id: after })
        : t("timeline.entry.clientIdMoved", { before, after }),
      ...(secretReplaced ? [t("timeline.entry.secretReplaced")] : []),
      ...(isProblemCode(check)
        ? [t("timeline.entry.savedInSpiteOf", { problem: t(`problems.${check}.title`) })]
        : []),
      ...(reason === null ? [] : [t("timeline.entry.proposalReason", { text: reason })]),
    ],
  };
}

export function describeConnectionChecked(
  { clientId, candidate, problem }: HistoryDetail["connection_checked"],
  _item: HistoryItem,
  t: Translate,
): Description {
  const works = problem === null;
  const sentence = candidate ? "candidateRefused" : works ? "checkWorks" : "checkFails";
  return {
    tone: works ? "ok" : "bad",
    icon: works ? PlugZap : Unplug,
    sentence: t(`timeline.entry.${sentence}`),
    notes: [
      ...(isProblemCode(problem) ? [t(`problems.${problem}.title`)] : []),
      t("timeline.entry.clientId", { id: clientId }),
    ],
  };
}
