import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import type { Configuration, ConfiguredWebhook } from "./configuration";
import { whyNotKept, type Draft, type Unkeepable } from "./draft";
import { registeredAmong } from "./registered";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { checkCallbackUrl } from "@/lib/webhooks/model/rules/callback-url";
import { isSameAddress } from "./webhook-version";

/** A save as the form holds it, or just before it is sent. */
type Wanted = Pick<Draft | SaveRequest, "type" | "url" | "authorization">;

/**
 * Why the Authorization value must be typed, said before anything is sent; the server decides by the same rules.
 * Keeping a value with another address means writing what the list shows: there has to be one value, and the list must
 * have been proven to show it. And only an admin may keep a value for another origin, since its operator would learn
 * it: by keeping it, or by a removal that the service may not carry out. A type whose address stays as it is keeps its
 * value without being written.
 */
export function problemOfKeeping(
  configuration: Configuration,
  draft: Wanted,
  isAdmin: boolean,
): Unkeepable | Extract<FieldCode, "retype_for_new_origin"> | null {
  const { action } = draft.authorization;
  if (action === "replace" || originOf(draft.url) === null) return null;
  const moved = new Set(movedTypes(configuration, draft));
  for (const webhook of registeredAmong(configuration, draft.type)) {
    const stays = isSameAddress(webhook.callbackUrl, draft.url);
    const problem = action === "keep" && !stays ? whyNotKept(configuration, webhook) : null;
    if (problem) return problem;
    if (!isAdmin && moved.has(webhook) && !surelyHasNone(configuration, webhook))
      return "retype_for_new_origin";
  }
  return null;
}

/** No value is shown, and this list shows those that are set. */
function surelyHasNone(
  { list }: Configuration,
  { authorization: { set, conflict, hidden } }: ConfiguredWebhook,
): boolean {
  return list === "proven" && !set && !conflict && !hidden;
}

/** The registered types whose messages would go to another origin. None while the address is not valid. */
export function movedTypes(
  configuration: Configuration,
  draft: Pick<Wanted, "type" | "url">,
): ConfiguredWebhook[] {
  const target = originOf(draft.url);
  if (target === null) return [];
  return registeredAmong(configuration, draft.type).filter(
    (webhook) => originOf(webhook.callbackUrl) !== target,
  );
}

/** Null for an address that the rule refuses, which the service may hold all the same: it equals no other. */
export function originOf(url: string): string | null {
  const check = checkCallbackUrl(url);
  return check.ok ? check.origin : null;
}
