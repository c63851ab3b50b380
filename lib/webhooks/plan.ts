import "server-only";
import type { RegisterInput } from "@/lib/partner-api/types";
import type { Secret } from "@/lib/secrets/secret";
import type { Current, CurrentWebhook } from "./current";
import { originOf } from "./keeping";
import type { SaveRequest } from "./rules/save-request";
import { typesOf, type WebhookType } from "./types";

/** What one type is to become. */
export type Wish = { type: WebhookType; url: string; authorization: Secret | null };

/** What a save asks for, whatever the form was opened on. */
type Asked = Omit<SaveRequest, "revision">;

/** What stands against a wish: the field it belongs to and the rule's name. */
export type PlanProblem = { path: string; code: "retype_for_new_origin" | "conflicting_values" };

/**
 * Turns a request into what each type is to become. "keep" is resolved here, from what the service holds now, because
 * the contract does not say what leaving the value out does on an overwrite.
 */
export function wishesOf(request: Asked, current: Current, newSecret: Secret | null): Wish[] {
  return typesOf(request.type).map((type) => ({
    type,
    url: request.url,
    authorization:
      request.authorization.action === "keep"
        ? (current.webhooks[type]?.authorization ?? null)
        : newSecret,
  }));
}

/**
 * Two things a "keep" must not do. With two different values under the contract's two names there is no one value to
 * keep. And moving the address to another origin while keeping the value would hand the secret to whoever runs that
 * origin, so only an admin may; it does not cover an attacker who already is admin.
 */
export function problemOfKeeping(
  request: Asked,
  current: Current,
  isAdmin: boolean,
): PlanProblem | null {
  if (request.authorization.action !== "keep") return null;
  const kept = typesOf(request.type).flatMap((type) => current.webhooks[type] ?? []);
  if (kept.some((webhook) => webhook.authorizationConflict))
    return { path: "authorization", code: "conflicting_values" };
  if (!isAdmin && kept.some((webhook) => sendsSecretElsewhere(webhook, request.url)))
    return { path: "authorization", code: "retype_for_new_origin" };
  return null;
}

function sendsSecretElsewhere(webhook: CurrentWebhook, url: string): boolean {
  return webhook.authorization !== null && originOf(webhook.callbackUrl) !== originOf(url);
}

/**
 * The calls that make the wishes true: one without `type` where both types are to become the same (contract 4.3),
 * else one for each. Gancho never sends the combined form of `type`.
 */
export function callsFor(wishes: readonly Wish[]): RegisterInput[] {
  const [first, second] = wishes;
  if (first && second && sameWish(first, second)) return [{ type: null, ...body(first) }];
  return wishes.map((wish) => ({ type: wish.type, ...body(wish) }));
}

function body({ url, authorization }: Wish) {
  return { url, authorization };
}

function sameWish(a: Wish, b: Wish): boolean {
  return a.url === b.url && a.authorization?.reveal() === b.authorization?.reveal();
}
