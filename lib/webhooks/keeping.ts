import type { FieldCode } from "@/lib/field-errors";
import type { Configuration, ConfiguredWebhook } from "./configuration";
import { registeredAmong, type Draft } from "./draft";
import type { SaveRequest } from "./rules/save-request";
import { checkCallbackUrl } from "./rules/callback-url";

/** A save as the form holds it, or as it is about to be sent. */
type Wanted = Pick<Draft | SaveRequest, "type" | "url" | "authorization">;

/**
 * Why the current Authorization value cannot be kept, said before anything is sent; the server decides by the same
 * two rules. With two values under the contract's two names there is no one value to keep. And only an admin may let
 * the value go along to another origin, since whoever runs that origin would learn it.
 */
export function problemOfKeeping(
  configuration: Configuration,
  draft: Wanted,
  isAdmin: boolean,
): Extract<FieldCode, "conflicting_values" | "retype_for_new_origin"> | null {
  if (draft.authorization.action !== "keep") return null;
  const kept = registeredAmong(configuration, draft.type);
  if (kept.some((webhook) => webhook.authorization.conflict)) return "conflicting_values";
  const moved = movedTypes(configuration, draft);
  return !isAdmin && moved.some((webhook) => webhook.authorization.set)
    ? "retype_for_new_origin"
    : null;
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
