import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import type { Configuration, ConfiguredWebhook } from "./configuration";
import {
  weaknessOf,
  type AuthorizationWeakness,
} from "@/lib/webhooks/model/rules/authorization-weakness";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import type { SheetAddress } from "./sheet-address";
import { typesOf, type AppliesTo, type WebhookType } from "./types";

/** What the form holds while it is being filled in. */
export type Draft = {
  type: AppliesTo;
  url: string;
  authorization: {
    action: "keep" | "replace" | "remove";
    /** Counts only where the action is `replace`. */
    value: string;
  };
};

export function webhookOf(
  configuration: Configuration,
  type: WebhookType,
): ConfiguredWebhook | undefined {
  return configuration.webhooks.find((webhook) => webhook.type === type);
}

/** What is registered for the types that a save applies to. */
export function registeredAmong(
  configuration: Configuration,
  appliesTo: AppliesTo,
): ConfiguredWebhook[] {
  return typesOf(appliesTo).flatMap((type) => webhookOf(configuration, type) ?? []);
}

/** Why a value that the list shows cannot be written again together with another address. */
export type Unkeepable = Extract<
  FieldCode,
  "conflicting_values" | "retype_not_shown" | "retype_unproven"
>;

/** Why any other address asks for the value of this type to be typed; null where the value can go along. */
export function whyNotKept(
  { list }: Configuration,
  { authorization: { conflict, hidden } }: ConfiguredWebhook,
): Unkeepable | null {
  if (conflict) return "conflicting_values";
  if (hidden || list === "refuted") return "retype_not_shown";
  return list === "unknown" ? "retype_unproven" : null;
}

/** The same for all types of a save: whether "keep" can be of any use. */
export function whyNoneKept(configuration: Configuration, type: Draft["type"]): Unkeepable | null {
  const found = registeredAmong(configuration, type).map((one) => whyNotKept(configuration, one));
  return found.find((code) => code !== null) ?? null;
}

/** Whether there is, or may be, a value to be removed. */
export function mayRemove(configuration: Configuration, type: Draft["type"]): boolean {
  const registered = registeredAmong(configuration, type);
  if (configuration.list !== "proven") return registered.length > 0;
  return registered.some(({ authorization: { set, hidden } }) => set || hidden !== undefined);
}

/** The form as it opens: what is registered, where that is one thing; a new value, where none is or it cannot be kept. */
export function openingDraft(configuration: Configuration, address: SheetAddress): Draft {
  const unkeepable = whyNoneKept(configuration, address.type) !== null;
  const isNew = registeredAmong(configuration, address.type).length === 0;
  const action = unkeepable || isNew ? "replace" : "keep";
  return {
    type: address.type,
    url: openingUrl(configuration, address),
    authorization: {
      action:
        address.from === "previous" ? restoringAction(configuration, address, action) : action,
      value: "",
    },
  };
}

/** What was registered before somebody changed it outside Gancho; types that were not are left out. */
function previousVersions(configuration: Configuration, type: AppliesTo) {
  return (configuration.outside ?? []).flatMap((change) =>
    change.before && typesOf(type).includes(change.type)
      ? [{ ...change, before: change.before }]
      : [],
  );
}

/** Where the value is another one now, only somebody who knows the previous one can put it back: Gancho never keeps it. */
function restoringAction(
  configuration: Configuration,
  { type }: SheetAddress,
  otherwise: "keep" | "replace",
): Draft["authorization"]["action"] {
  const moved = previousVersions(configuration, type).filter(
    ({ before, after }) =>
      before.fingerprint !== (after?.fingerprint ?? null) ||
      before.conflict !== after?.conflict ||
      before.hidden !== after?.hidden,
  );
  if (moved.length === 0) return otherwise;
  const wasUnset = moved.every(
    ({ before }) => before.fingerprint === null && !before.conflict && !before.hidden,
  );
  return wasUnset && mayRemove(configuration, type) ? "remove" : "replace";
}

function openingUrl(configuration: Configuration, { type, from }: SheetAddress): string {
  if (from === "previous") {
    const urls = previousVersions(configuration, type).map(({ before }) => before.callbackUrl);
    return new Set(urls).size === 1 ? (urls[0] ?? "") : "";
  }
  if (from) return webhookOf(configuration, from)?.callbackUrl ?? "";
  const urls = registeredAmong(configuration, type).map((webhook) => webhook.callbackUrl);
  return new Set(urls).size === 1 ? (urls[0] ?? "") : "";
}

/** The sheets that put back what was registered: one for both types where it was one address, else one each. */
export function restoringSheets(configuration: Configuration): SheetAddress[] {
  const previous = previousVersions(configuration, "both");
  const sheetOf = (type: AppliesTo): SheetAddress => ({
    mode: registeredAmong(configuration, type).length > 0 ? "edit" : "register",
    ...{ type, from: "previous" },
  });
  const sides = new Set(
    previous.map(
      ({ before: { callbackUrl, fingerprint } }) => `${callbackUrl} ${fingerprint === null}`,
    ),
  );
  return previous.length === 2 && sides.size === 1
    ? [sheetOf("both")]
    : previous.map(({ type }) => sheetOf(type));
}

/** The draft as it is meant: where nothing is registered, a value that was left empty is none. */
export function meantDraft(configuration: Configuration, draft: Draft): Draft {
  const { action, value } = draft.authorization;
  const leftEmpty = action === "replace" && value === "";
  return leftEmpty && registeredAmong(configuration, draft.type).length === 0
    ? { ...draft, authorization: { action: "keep", value } }
    : draft;
}

/** Why a registration is asked about once more: it sets no Authorization value, or one that is easy to guess. */
export type Doubt = "none" | AuthorizationWeakness;

export function doubtOf(configuration: Configuration, draft: Draft): Doubt | null {
  if (registeredAmong(configuration, draft.type).length > 0) return null;
  const { action, value } = meantDraft(configuration, draft).authorization;
  return action === "replace" ? (weaknessOf(value) ?? null) : "none";
}

/** What the form sends. `revision` is that of the configuration which the person is looking at. */
export function toSaveRequest(draft: Draft, revision: string | null): SaveRequest {
  const { action, value } = draft.authorization;
  return {
    type: draft.type,
    url: draft.url,
    revision,
    authorization: action === "replace" ? { action, value } : { action },
  };
}
