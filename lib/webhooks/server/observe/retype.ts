import type { Retype } from "@/lib/webhooks/model/configuration";
import { isSame, mayKeep } from "./look";
import type { TypeObserved } from "./observed";
import { versionOf, type RemoteWebhook } from "./remote-state";

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

/** A save here asked for exactly this, without a value, and it is settled. */
function isWithoutValue(
  { fingerprint, masked }: RemoteWebhook,
  { settled, shown, asker, difference }: TypeObserved,
): boolean {
  const isSettled = settled !== undefined && shown !== null && isSame(shown.state, settled);
  return fingerprint === null && !masked && isSettled && asker !== null && !difference;
}
