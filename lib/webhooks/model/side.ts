import { typedValue } from "@/lib/history/model/item";
import type { Configuration, ConfiguredWebhook, HistoryEntry } from "./configuration";
import { webhookOf, type Draft } from "./draft";
import type { WebhookType } from "./types";

/** What can be told of an Authorization value without showing it. */
export type ShownAuthorization =
  | { kind: "unset" }
  | { kind: "set"; fingerprint: string | null }
  /** The service shows two different values. */
  | { kind: "conflict" }
  /** The service does not show the value, and maybe something in its place. There may be one. */
  | { kind: "hidden"; masked?: boolean }
  /** The service shows none, and it is not known yet whether it would show one. */
  | { kind: "none_shown" }
  /** A save without a value, to a service that may not show whether one stays. */
  | { kind: "none_sent" }
  /** Another value, which somebody proposed. */
  | { kind: "new" }
  /** Typed in the form; counted in characters. */
  | { kind: "typed"; length: number };

/** One type's configuration at one side of a comparison; null where it is not registered. */
export type ShownVersion = { url: string; authorization: ShownAuthorization } | null;

export function shownVersionOf(configuration: Configuration, type: WebhookType): ShownVersion {
  const webhook = webhookOf(configuration, type);
  if (!webhook) return null;
  const { callbackUrl: url, authorization } = webhook;
  return { url, authorization: shownAuthorization(authorization, configuration.list) };
}

/** What the service's list tells of a value, as far as it can be believed. */
export function shownAuthorization(
  { set, fingerprint, conflict, hidden }: ConfiguredWebhook["authorization"],
  list: Configuration["list"],
): ShownAuthorization {
  if (conflict) return { kind: "conflict" };
  if (hidden) return { kind: "hidden", masked: hidden === "masked" };
  if (list === "refuted") return { kind: "hidden" };
  if (set) return { kind: "set", fingerprint };
  return { kind: list === "proven" ? "unset" : "none_shown" };
}

/** One type as the history, or a proposal, tells of it. */
export function shownVersionInHistory(version: HistoryEntry["changes"][number]["before"]): ShownVersion {
  if (!version) return null;
  const { callbackUrl: url, fingerprint, conflict, hidden } = version;
  if (conflict) return { url, authorization: { kind: "conflict" } };
  if (hidden) return { url, authorization: { kind: "hidden", masked: hidden === "masked" } };
  if (fingerprint === typedValue) return { url, authorization: { kind: "new" } };
  return {
    url,
    authorization: fingerprint === null ? { kind: "unset" } : { kind: "set", fingerprint },
  };
}

/** What the draft makes of one type that is as `before`. */
export function shownVersionAfter(
  draft: Draft,
  before: ShownVersion,
  list: Configuration["list"],
): NonNullable<ShownVersion> {
  const { action, value } = draft.authorization;
  // As the service writes it, where that is the same address.
  const url = before && isSameAddress(before.url, draft.url) ? before.url : draft.url;
  if (action === "replace") return { url, authorization: { kind: "typed", length: value.length } };
  if (action === "keep") return { url, authorization: before?.authorization ?? { kind: "unset" } };
  return { url, authorization: { kind: list === "proven" || !before ? "unset" : "none_sent" } };
}

/** A typed value equals nothing: whether it is the one that is set is the server's to know. */
export function sameAuthorization(a: ShownAuthorization, b: ShownAuthorization): boolean {
  if (a.kind === "set" && b.kind === "set") return a.fingerprint === b.fingerprint;
  if (a.kind === "hidden" && b.kind === "hidden")
    return (a.masked ?? b.masked) === (b.masked ?? a.masked);
  return a.kind === b.kind && a.kind !== "typed";
}

export function sameShownVersion(a: ShownVersion, b: ShownVersion): boolean {
  if (!a || !b) return a === b;
  return isSameAddress(a.url, b.url) && sameAuthorization(a.authorization, b.authorization);
}

/** Services write an address in their own way; what `new URL` makes of both decides. */
export function isSameAddress(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
