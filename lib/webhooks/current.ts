import "server-only";
import type { ListedWebhook, ListResult } from "@/lib/partner-api/types";
import type { Secret } from "@/lib/secrets/secret";
import { webhookTypes, type WebhookType } from "./types";

/** What the service holds for one type right now, secret value included: never leaves the server. */
export type CurrentWebhook = {
  callbackUrl: string;
  authorization: Secret | null;
  authorizationConflict: boolean;
  events: string[] | null;
  duplicate: boolean;
};

export type Current = {
  webhooks: Partial<Record<WebhookType, CurrentWebhook>>;
  /** Items without a type, of an unknown one, or the second and later ones of a type. */
  unrecognised: ListedWebhook[];
  /** The service's "not found" was not the one of the contract. */
  unclear: boolean;
};

/** Sorts the service's items by type; what does not fit is kept to be shown, and nothing is inferred from it. */
export function currentFrom(list: Extract<ListResult, { ok: true }>): Current {
  const current: Current = { webhooks: {}, unrecognised: [], unclear: list.unclear };
  for (const item of list.webhooks) {
    const type = webhookTypes.find((known) => known === item.type);
    const earlier = type && current.webhooks[type];
    if (earlier) earlier.duplicate = true;
    if (!type || earlier) current.unrecognised.push(item);
    else current.webhooks[type] = { ...pick(item), duplicate: false };
  }
  return current;
}

function pick({ callbackUrl, authorization, authorizationConflict, events }: ListedWebhook) {
  return { callbackUrl, authorization, authorizationConflict, events };
}
