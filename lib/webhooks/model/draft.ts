import type { HistoryKind } from "@/lib/history/model/entry";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { Configuration, ConfiguredWebhook, Retype } from "./configuration";
import { exposureOf } from "./exposure";
import { mayHaveValue, registeredAmong, webhookOf } from "./registered";
import { doubtAbout } from "@/lib/webhooks/model/rules/authorization-value";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { parseFetchedSource, type FetchedSource, type SheetAddress } from "./sheet-address";
import type { SourceVersion } from "./source";
import {
  typesOf,
  webhookTypes,
  type AppliesTo,
} from "@/lib/platform/payment-service/contract/terms";

/** The form's content during editing. */
export type Draft = {
  type: AppliesTo;
  url: string;
  authorization: {
    action: "keep" | "replace" | "remove";
    /** Ignored unless the action is `replace`. */
    value: string;
  };
};

/** The fields that can be refused, in the order on screen. */
export const draftFields = ["url", "authorization.action", "authorization.value"] as const;

/** Why "keep" is not possible for a save of these types with another address; null where it is. */
export function keepBlockedFor(configuration: Configuration, type: Draft["type"]): Retype | null {
  const found = registeredAmong(configuration, type).map(({ authorization }) => authorization);
  return found.find(({ retype }) => retype !== undefined)?.retype ?? null;
}

/** Whether there is, or may be, a value to remove. */
export function mayRemove(configuration: Configuration, type: Draft["type"]): boolean {
  return registeredAmong(configuration, type).some(mayHaveValue);
}

/**
 * The form as it opens: the registered version, where that is the same for all types; a new value, where none is set or
 * it cannot be kept. `fetched`: the server's answer for the source in the address. `secret`: what a new receiver asks for.
 */
export function openingDraft(
  configuration: Configuration,
  address: SheetAddress,
  fetched: readonly SourceVersion[] = [],
  secret = "",
): Draft {
  const isKeepBlocked = keepBlockedFor(configuration, address.type) !== null;
  const isNew = registeredAmong(configuration, address.type).length === 0;
  const action = isKeepBlocked || isNew ? "replace" : "keep";
  const versions = versionsToStartFrom(configuration, address, fetched);
  return {
    type: address.type,
    url: openingUrl(configuration, address, versions),
    authorization: {
      action: versions ? startingAction(configuration, address.type, versions, action) : action,
      value: isNew ? secret : "",
    },
  };
}

/** An ordinary sheet where nothing is left to restore: somebody may have acknowledged the change since. */
export function openedAddress(configuration: Configuration, address: SheetAddress): SheetAddress {
  const { from, ...ordinary } = address;
  const isGone = versionsToStartFrom(configuration, address, [])?.length === 0;
  return from === "previous" && isGone ? ordinary : address;
}

/** What the sheet starts from, for its types; null: the registered version. */
function versionsToStartFrom(
  configuration: Configuration,
  { type, from }: SheetAddress,
  fetched: readonly SourceVersion[],
): SourceVersion[] | null {
  const all = from === "previous" ? outsideVersions(configuration) : fetched;
  return from === "previous" || parseFetchedSource(from)
    ? all.filter((version) => typesOf(type).includes(version.type))
    : null;
}

/** What was registered before changes that took effect; leaves out types that were not registered. */
function versionsBefore(
  changes: readonly (Pick<WebhookChange, "type" | "before"> & Partial<WebhookChange>)[],
): SourceVersion[] {
  return changes.flatMap(({ type, before, outcome = "seen" }) => {
    if (!before || !tookEffect.has(outcome)) return [];
    const { callbackUrl, ...authorization } = before;
    return [{ type, callbackUrl, authorization }];
  });
}

const tookEffect: ReadonlySet<WebhookChange["outcome"]> = new Set(["saved", "partly", "seen"]);

const restorable: ReadonlySet<string> = new Set<HistoryKind>([
  "save_shown",
  "changed_outside",
  "outside_acknowledged",
]);

/**
 * The earlier addresses to which an entry of the history can take one back; none for kinds that offer none, and where
 * only the value changed.
 */
export function addressesBefore(kind: string, changes: readonly WebhookChange[]): SourceVersion[] {
  if (!restorable.has(kind)) return [];
  return versionsBefore(
    changes.filter(({ before, after }) => before?.callbackUrl !== after?.callbackUrl),
  );
}

/** What was registered before somebody changed it outside Gancho. */
export function outsideVersions({ outside = [] }: Configuration): SourceVersion[] {
  return versionsBefore(outside);
}

/**
 * If the value has changed since, only somebody who knows the earlier one can restore it: Gancho never stores it. If it
 * has not, but another server got it, restoring the address takes a new one.
 */
function startingAction(
  configuration: Configuration,
  type: AppliesTo,
  versions: readonly SourceVersion[],
  otherwise: "keep" | "replace",
): Draft["authorization"]["action"] {
  const moved = versions.filter(
    (version) =>
      !isValueOf(version.authorization, webhookOf(configuration, version.type)?.authorization),
  );
  if (moved.length === 0) return exposureOf(configuration, typesOf(type)) ? "replace" : otherwise;
  const wasUnset = moved.every(
    ({ authorization: was }) =>
      was && was.fingerprint === null && !was.conflict && was.hidden !== "masked",
  );
  return wasUnset && mayRemove(configuration, type) ? "remove" : "replace";
}

function isValueOf(
  was: SourceVersion["authorization"],
  is: ConfiguredWebhook["authorization"] | undefined,
): boolean {
  return (
    was !== null &&
    was.fingerprint === (is?.fingerprint ?? null) &&
    (was.conflict ?? false) === (is?.conflict ?? false) &&
    was.hidden === is?.hidden
  );
}

function openingUrl(
  configuration: Configuration,
  { type, from }: SheetAddress,
  versions: readonly SourceVersion[] | null,
): string {
  if (from === "own") return "";
  const other = webhookTypes.find((each) => each === from);
  if (other) return webhookOf(configuration, other)?.callbackUrl ?? "";
  const urls = (versions ?? registeredAmong(configuration, type)).map(
    ({ callbackUrl }) => callbackUrl,
  );
  return new Set(urls).size === 1 ? (urls[0] ?? "") : "";
}

/** The sheets that restore the earlier version: one for both types if they had the same address, otherwise one each. */
export function restoringSheets(
  versions: readonly SourceVersion[],
  from: "previous" | FetchedSource,
): SheetAddress[] {
  const sides = new Set(
    versions.map(
      ({ callbackUrl, authorization }) => `${callbackUrl} ${authorization?.fingerprint === null}`,
    ),
  );
  const types = versions.map(({ type }) => type);
  const together = types.length === webhookTypes.length && sides.size === 1;
  return (together ? (["both"] as const) : types).map((type) => ({ mode: "edit", type, from }));
}

/**
 * Whether another value at this address is for both types: where they share address and value, a receiver that gets it
 * for one type alone would refuse the notifications of the other.
 */
export function isValueOfBoth({ webhooks }: Configuration, url: string): boolean {
  const fingerprint = webhooks[0]?.authorization.fingerprint ?? null;
  return (
    fingerprint !== null &&
    webhooks.length === webhookTypes.length &&
    webhooks.every(
      ({ callbackUrl, authorization }) =>
        callbackUrl === url && authorization.fingerprint === fingerprint,
    )
  );
}

/** The mode for the sheet's title: a link cannot know whether there is something registered to edit. */
export function sheetModeOf(
  configuration: Configuration,
  { mode, type, from }: SheetAddress,
): "edit" | "register" {
  const isByLink = from === "previous" || parseFetchedSource(from) !== null;
  if (!isByLink) return mode;
  return registeredAmong(configuration, type).length > 0 ? "edit" : "register";
}

/** The draft's meaning: where nothing is registered, an empty value field means no value. */
export function effectiveDraft(configuration: Configuration, draft: Draft): Draft {
  const { action, value } = draft.authorization;
  const leftEmpty = action === "replace" && value === "";
  return leftEmpty && registeredAmong(configuration, draft.type).length === 0
    ? { ...draft, authorization: { action: "keep", value } }
    : draft;
}

/** What the sheet asks before it sends a draft. Pressing the button again answers it. */
export type Question = "registers_without_value" | "removes_value" | "doubtful_value";

/**
 * Without a value, anybody who knows the address can forge a notification: nothing registers a type so, or takes the
 * value away in production, by one press. Nor does it set a value that is probably a mistake.
 */
export function questionAbout(
  configuration: Configuration,
  draft: Draft,
  isProduction: boolean,
): Question | null {
  const { action, value } = effectiveDraft(configuration, draft).authorization;
  if (action === "replace") return doubtAbout(value) ? "doubtful_value" : null;
  if (typesOf(draft.type).some((type) => !webhookOf(configuration, type)))
    return "registers_without_value";
  const removes = action === "remove" && mayRemove(configuration, draft.type);
  return removes && isProduction ? "removes_value" : null;
}

/**
 * The form's request. `revision` is that of the configuration which the person sees. It confirms a doubtful value: the
 * form asks about one before it sends it.
 */
export function toSaveRequest(draft: Draft, revision: string | null): SaveRequest {
  const { authorization, ...rest } = draft;
  const { action, value } = authorization;
  return {
    ...rest,
    revision,
    authorization:
      action === "replace"
        ? { action, value, ...(doubtAbout(value) && { confirm: true }) }
        : { action },
  };
}

/** Whether two drafts mean the same save. */
export function asksTheSame(configuration: Configuration, one: Draft, other: Draft): boolean {
  const [asked, again] = [one, other].map((draft) =>
    JSON.stringify(toSaveRequest(effectiveDraft(configuration, draft), null)),
  );
  return asked === again;
}
