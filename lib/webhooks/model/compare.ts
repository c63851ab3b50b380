import { isSameAddress } from "./webhook-version";
import { typedValue } from "@/lib/history/model/item";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { Configuration, ConfiguredWebhook } from "./configuration";
import type { Draft } from "./draft";
import { webhookOf } from "./registered";
import {
  type AppliesTo,
  typesOf,
  type WebhookType,
  webhookTypes,
} from "@/lib/platform/payment-service/contract/terms";

/** What a screen may show of an Authorization value: never the value. */
export type ShownAuthorization =
  | { kind: "unset" }
  | { kind: "set"; fingerprint: string | null }
  /** The service shows two different values. */
  | { kind: "conflict" }
  /** The service shows a placeholder. */
  | { kind: "masked" }
  /** The service shows none, but one may be set. */
  | { kind: "none_shown" }
  /** A save without a value, to a service that may hide whether one remains. */
  | { kind: "none_sent" }
  /** Another value, which somebody proposed. */
  | { kind: "new" }
  /** Typed in the form. `length` in characters. */
  | { kind: "typed"; length: number };

/** One version of a type's configuration as a screen shows it; null where the type is not registered. */
export type ShownVersion = { url: string; authorization: ShownAuthorization } | null;

export function shownVersionOf(configuration: Configuration, type: WebhookType): ShownVersion {
  const webhook = webhookOf(configuration, type);
  if (!webhook) return null;
  const { callbackUrl: url, authorization } = webhook;
  return { url, authorization: shownAuthorization(authorization) };
}

/** What the service shows of a value. */
export function shownAuthorization({
  set,
  fingerprint,
  conflict,
  hidden,
}: ConfiguredWebhook["authorization"]): ShownAuthorization {
  if (conflict) return { kind: "conflict" };
  if (hidden === "masked") return { kind: "masked" };
  return set ? { kind: "set", fingerprint } : { kind: "none_shown" };
}

/** One version as the history or a proposal stores it. */
export function shownVersionInHistory(version: WebhookChange["before"]): ShownVersion {
  if (!version) return null;
  const { callbackUrl: url, fingerprint, conflict, hidden } = version;
  if (conflict) return { url, authorization: { kind: "conflict" } };
  if (hidden) return { url, authorization: { kind: hidden === "masked" ? hidden : "none_shown" } };
  if (fingerprint === typedValue) return { url, authorization: { kind: "new" } };
  return {
    url,
    authorization: fingerprint === null ? { kind: "unset" } : { kind: "set", fingerprint },
  };
}

/** What the draft changes one type to; `before` is its current version. */
function shownVersionAfter(draft: Draft, before: ShownVersion): NonNullable<ShownVersion> {
  const { action, value } = draft.authorization;
  // The service's spelling, where that is the same address.
  const url = before && isSameAddress(before.url, draft.url) ? before.url : draft.url;
  if (action === "replace") return { url, authorization: { kind: "typed", length: value.length } };
  if (action === "keep") return { url, authorization: before?.authorization ?? { kind: "unset" } };
  return { url, authorization: { kind: isRemovalShown(before) ? "unset" : "none_sent" } };
}

/** Whether the list can show a removal: only where it shows a value now. */
function isRemovalShown(before: ShownVersion): boolean {
  return before?.authorization.kind !== "none_shown";
}

/** A typed value equals no other here: only the server knows whether it is the current one. */
export function sameAuthorization(a: ShownAuthorization, b: ShownAuthorization): boolean {
  if (a.kind === "set" && b.kind === "set") return a.fingerprint === b.fingerprint;
  return a.kind === b.kind && a.kind !== "typed";
}

export function sameShownVersion(a: ShownVersion, b: ShownVersion): boolean {
  if (!a || !b) return a === b;
  return isSameAddress(a.url, b.url) && sameAuthorization(a.authorization, b.authorization);
}

/** Whether the history has a difference to show: also where only an address's spelling changed. */
export function differs({ before, after }: WebhookChange): boolean {
  const [was, is] = [shownVersionInHistory(before), shownVersionInHistory(after)];
  return was?.url !== is?.url || !sameShownVersion(was, is);
}

/** A save's effect on one type. */
export type TypeDiff = {
  type: WebhookType;
  /** `keep`: it is already as desired. */
  effect: "register" | "overwrite" | "keep";
  before: ShownVersion;
  after: NonNullable<ShownVersion>;
};

/** The save's effect, per type, on the configuration that the person sees. */
export function diffOf(configuration: Configuration, draft: Draft): TypeDiff[] {
  return typesOf(draft.type).map((type) => {
    const before = shownVersionOf(configuration, type);
    const after = shownVersionAfter(draft, before);
    const urlChanges = before?.url !== after.url;
    const authorizationChanges = !sameAuthorization(
      before?.authorization ?? { kind: "unset" },
      after.authorization,
    );
    const effect = !before ? "register" : urlChanges || authorizationChanges ? "overwrite" : "keep";
    return { type, effect, before, after };
  });
}

/** What the submit button announces: which types it registers and which it overwrites, each in the shown order. */
type SubmitEffect = { register: WebhookType[]; overwrite: WebhookType[] };

/** Depends on what is registered, not on what was edited: saving the same values still overwrites. */
export function submitEffect(configuration: Configuration, appliesTo: AppliesTo): SubmitEffect {
  const types = typesOf(appliesTo);
  return {
    register: types.filter((type) => !webhookOf(configuration, type)),
    overwrite: types.filter((type) => webhookOf(configuration, type)),
  };
}

/** A type that is shown differently than when the form was opened. */
export type Overtaken = {
  type: WebhookType;
  /** Since when, and who asked for it here; null where it is not listed. */
  now: Pick<ConfiguredWebhook, "shownSince" | "askedBy"> | null;
};

export function overtakenTypes(opened: Configuration, now: Configuration): Overtaken[] {
  return webhookTypes
    .filter((type) => !sameShownVersion(shownVersionOf(opened, type), shownVersionOf(now, type)))
    .map((type) => ({ type, now: webhookOf(now, type) ?? null }));
}

/** Who asked here for what saving the draft now would overwrite. */
export function overwrittenAskers(
  overtaken: readonly Overtaken[],
  { type: appliesTo }: Pick<Draft, "type">,
): string[] {
  const names = overtaken.flatMap(({ type, now }) =>
    now?.askedBy && typesOf(appliesTo).includes(type) ? [now.askedBy.name] : [],
  );
  return [...new Set(names)];
}

/** A text split where its difference from another one begins and ends. */
export type ChangedPart = { start: string; changed: string; end: string };

/**
 * Splits off what two texts share at both ends, to make the difference easy to see. Cuts between characters, never
 * inside one.
 */
export function changedParts(before: string, after: string): [ChangedPart, ChangedPart] {
  const [a, b] = [Array.from(before), Array.from(after)];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const split = (text: string[]): ChangedPart => ({
    start: text.slice(0, start).join(""),
    changed: text.slice(start, text.length - end).join(""),
    end: text.slice(text.length - end).join(""),
  });
  return [split(a), split(b)];
}
