import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import type { Configuration, ConfiguredWebhook, Retype } from "./configuration";
import type { Draft } from "./draft";
import { mayHaveValue, registeredAmong } from "./registered";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { originOf } from "@/lib/webhooks/model/rules/callback-url";
import { isSameAddress } from "./webhook-version";

/** A save as the form holds it, or just before it is sent. */
type Wanted = Pick<Draft | SaveRequest, "type" | "url" | "authorization">;

/**
 * Why the Authorization value must be typed, before anything is sent. The reading says which types' values can be kept
 * with another address; only an admin may let a value go to another origin. The server decides, and also knows an
 * address that this answer of the service leaves out.
 */
export function keepBlockedReason(
  configuration: Configuration,
  draft: Wanted,
  isAdmin: boolean,
): Retype | Extract<FieldCode, "retype_for_new_origin"> | null {
  const { action } = draft.authorization;
  if (action === "replace" || originOf(draft.url) === null) return null;
  if (!isAdmin && movedTypes(configuration, draft).some(mayHaveValue))
    return "retype_for_new_origin";
  if (action === "remove") return null;
  const moved = registeredAmong(configuration, draft.type).filter(
    ({ callbackUrl }) => !isSameAddress(callbackUrl, draft.url),
  );
  return moved.find(({ authorization }) => authorization.retype)?.authorization.retype ?? null;
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
