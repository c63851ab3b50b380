import type { Retype } from "@/lib/webhooks/model/configuration";
import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { hasValue, isExact, isSame, mayKeep } from "./look";
import type { LastLook, TypeObserved } from "./observed";
import { versionOf } from "./remote-state";
import { isRefused, type SavedType } from "./said";

type Shown = Pick<LastLook, "remote" | "types">;

/**
 * Why this type's value has to be typed before it can go with another address (R11); null where it need not. A type that
 * is not listed may have been left out.
 */
export function whyRetype(type: WebhookType, last: Shown): Retype | null {
  const webhook = last.remote.webhooks[type];
  const observed = last.types[type];
  const hasSent = observed.sentValue !== null;
  if (!webhook) return hasSent ? "retype_not_shown" : null;
  if (webhook.duplicate || webhook.authorizationConflict) return "conflicting_values";
  const shown = versionOf(webhook);
  if (mayKeep(observed, shown) || (!hasSent && isWithoutValue(type, last))) return null;
  if (webhook.masked) return "retype_not_shown";
  if (webhook.fingerprint === null) return hasSent ? "retype_not_shown" : "retype_unproven";
  return hasSent ? "retype_other_value" : "retype_unproven";
}

/** None is shown, none was sent, that is settled, and the list would show one, as far as is known. */
function isWithoutValue(type: WebhookType, last: Shown): boolean {
  const { settled, shown, sentNone, difference } = last.types[type];
  const isSettled = settled !== undefined && shown !== null && isSame(shown.state, settled);
  const isShownWithout = !hasValue(versionOf(last.remote.webhooks[type]));
  return isShownWithout && isSettled && sentNone && !difference && !mayBeHidden(type, last);
}

/** The list is not known to show this type's values (R7), and one of the two has had a value and shows none now. */
function mayBeHidden(of: WebhookType, { remote, types }: Shown): boolean {
  if (types[of].showsValues) return false;
  return webhookTypes.some((type) => {
    const { hadValue, showsValues } = types[type];
    return hadValue && !showsValues && !hasValue(versionOf(remote.webhooks[type]));
  });
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
 * R11: whether no value was sent for what is shown: the save sent last asked for exactly that, or nothing was sent since
 * one did. `by`: the saves that explain it; `isTold`: it is told as a difference.
 */
export function sentNoneAfter(
  { sentNone }: Pick<TypeObserved, "sentNone">,
  shown: WebhookVersion,
  { saves, by, isTold }: { saves: readonly SavedType[]; by: readonly SavedType[]; isTold: boolean },
): boolean {
  if (isTold || hasValue(shown)) return false;
  const last = saves.at(-1);
  const isAnswered = last?.answer !== undefined && !isRefused(last);
  const isIt = isAnswered && by.includes(last) && isExact(last, shown);
  return sentNone || (isIt && last.asked.fingerprint === null);
}
