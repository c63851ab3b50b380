import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import type { Configuration, ConfiguredWebhook, Retype } from "./configuration";
import type { Draft } from "./draft";
import { mayHaveValue, registeredAmong, webhookOf } from "./registered";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";
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
  const moves = movedTypes(configuration, draft).some(mayHaveValue);
  if (!isAdmin && (moves || movesUntyped(configuration, draft))) return "retype_for_new_origin";
  if (action === "remove") return null;
  const moved = registeredAmong(configuration, draft.type).filter(
    ({ callbackUrl }) => !isSameAddress(callbackUrl, draft.url),
  );
  return moved.find(({ authorization }) => authorization.retype)?.authorization.retype ?? null;
}

/** Whether a type that is not listed may be an item without a type, at another origin. */
function movesUntyped(configuration: Configuration, draft: Wanted): boolean {
  const isListed = typesOf(draft.type).every((type) => webhookOf(configuration, type));
  const untyped = configuration.unrecognised?.filter(({ type }) => type === null) ?? [];
  return !isListed && untyped.some((item) => originOf(item.callbackUrl) !== originOf(draft.url));
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
