import type { WebhookChange } from "./webhook-change";

/**
 * The service shows another value, or none, with the same address. Whether somebody changed it or the service shows
 * values in another way, nobody can tell from its list. Apart from the schemas, which the Webhooks screen loads later.
 */
export function isOnlyValue({ before, after }: Pick<WebhookChange, "before" | "after">): boolean {
  return before !== null && after !== null && before.callbackUrl === after.callbackUrl;
}
