import type { WebhookChange } from "./webhook-change";

/**
 * The service shows another value, or none, with the same address. Its list cannot tell whether somebody changed the
 * value or the service shows values differently. Not beside the schemas, which the Webhooks screen loads later.
 */
export function isOnlyValue({ before, after }: Pick<WebhookChange, "before" | "after">): boolean {
  return before !== null && after !== null && before.callbackUrl === after.callbackUrl;
}
