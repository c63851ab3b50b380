import "server-only";
import type { ListedWebhook, ListResult } from "@/lib/platform/payment-service/types";
import type { Secret } from "@/lib/platform/runtime/secret";
import { isMasked } from "@/lib/webhooks/model/rules/authorization-value";
import { eventKinds, webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";

/** What the service holds for one type right now, secret value included: never leaves the server. */
export type CurrentWebhook = {
  callbackUrl: string;
  authorization: Secret | null;
  authorizationConflict: boolean;
  events: string[] | null;
  duplicate: boolean;
  /** The service left the type out (the contract allows it, 2.2); all its event kinds belong to this one. */
  inferred: boolean;
};

export type Current = {
  webhooks: Partial<Record<WebhookType, CurrentWebhook>>;
  /** Items without a type, of an unknown one, or the second and later ones of a type. */
  unrecognised: ListedWebhook[];
  /** The service's "not found" was not the one of the contract. */
  unclear: boolean;
};

/** Sorts the service's items by type; what does not fit is kept to be shown. */
export function currentFrom(list: Extract<ListResult, { ok: true }>): Current {
  const current: Current = { webhooks: {}, unrecognised: [], unclear: list.unclear };
  for (const item of list.webhooks) {
    const type = typeOf(item);
    const earlier = type && current.webhooks[type];
    if (earlier) earlier.duplicate = true;
    if (!type || earlier) current.unrecognised.push(item);
    else {
      const { callbackUrl, authorization, authorizationConflict, events } = item;
      const inferred = item.type === null;
      current.webhooks[type] = {
        ...{ callbackUrl, authorization, authorizationConflict, events },
        ...{ inferred, duplicate: false },
      };
    }
  }
  return current;
}

/** Compared without case. Without a type: the one that all the event kinds belong to (contract, section 6). */
function typeOf({ type, events }: ListedWebhook): WebhookType | undefined {
  if (type !== null) return webhookTypes.find((known) => known === type.toLowerCase());
  if (!events || events.length === 0) return undefined;
  return webhookTypes.find((known) => {
    const kinds: readonly string[] = eventKinds[known];
    return events.every((event) => kinds.includes(event));
  });
}

/** Whether this is what a service shows in place of a value: asterisks, bullets, an ellipsis, or the word for it. */
export function looksMasked(authorization: Secret | null): boolean {
  const value = authorization?.reveal() ?? "";
  return isMasked(value) || /\*{2,}|[•●…]|\.{3}$|redacted/iu.test(value);
}
