import type { Retype } from "@/lib/webhooks/model/configuration";
import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { isExact, isSame, mayKeep } from "./look";
import type { TypeObserved } from "./observed";
import { versionOf, type RemoteWebhook } from "./remote-state";
import { isRefused, type SavedType } from "./said";

/**
 * Why this type's value has to be typed before it can go with another address (R11); null where it need not. A type that
 * is not listed may have been left out.
 */
export function whyRetype(
  webhook: RemoteWebhook | undefined,
  observed: TypeObserved,
): Retype | null {
  const hasSent = observed.sentValue !== null;
  if (!webhook) return hasSent ? "retype_not_shown" : null;
  if (webhook.duplicate || webhook.authorizationConflict) return "conflicting_values";
  const shown = versionOf(webhook);
  if (mayKeep(observed, shown) || (!hasSent && isWithoutValue(webhook, observed))) return null;
  if (webhook.masked) return "retype_not_shown";
  if (webhook.fingerprint === null) return hasSent ? "retype_not_shown" : "retype_unproven";
  return hasSent ? "retype_other_value" : "retype_unproven";
}

/** None is shown, none was sent, and that is settled. */
function isWithoutValue(
  { fingerprint, masked }: RemoteWebhook,
  { settled, shown, sentNone, difference }: TypeObserved,
): boolean {
  const isSettled = settled !== undefined && shown !== null && isSame(shown.state, settled);
  return fingerprint === null && !masked && isSettled && sentNone && !difference;
}

/**
 * R7 and R11: what a save sent counts as soon as its answer is known. A refused value may have been applied all the same:
 * it is not the one sent last, and nobody knows any more that none is set.
 */
export function afterSending(
  observed: TypeObserved,
  save: Pick<SavedType, "asked" | "answer">,
): TypeObserved {
  const { fingerprint } = save.asked;
  const sentValue = isRefused(save) ? observed.sentValue : fingerprint;
  const sentNone = observed.sentNone && fingerprint === null;
  return { ...observed, sentValue, sentNone, hadValue: observed.hadValue || fingerprint !== null };
}

/**
 * R11: whether no value was sent for what is shown. The list may hide values, so that none is shown proves nothing: the
 * save sent last has to be it, and where there has been a value, which the service may have kept, the list has to show
 * values. `by`: the saves that explain it; `isTold`: it is told as a difference.
 */
export function sentNoneAfter(
  { sentNone, hadValue }: Pick<TypeObserved, "sentNone" | "hadValue">,
  shown: WebhookVersion,
  {
    saves,
    by,
    isTold,
    showsValues,
  }: {
    saves: readonly SavedType[];
    by: readonly SavedType[];
    isTold: boolean;
    showsValues: boolean;
  },
): boolean {
  if (isTold || (hadValue && !showsValues)) return false;
  const last = saves.at(-1);
  const isAnswered = last?.answer !== undefined && !isRefused(last);
  const isIt = isAnswered && by.includes(last) && isExact(last, shown);
  return sentNone || (isIt && last.asked.fingerprint === null);
}
