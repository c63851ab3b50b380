import type { Configuration, ConfiguredWebhook } from "./configuration";
import { webhookOf, type Draft } from "./draft";
import type { WebhookType } from "./types";

/** What can be told of an Authorization value without showing it. */
export type AuthorizationSide =
  | { kind: "unset" }
  | { kind: "set"; fingerprint: string | null }
  /** The service shows two different values. */
  | { kind: "conflict" }
  /** Whatever is there when the save is made. */
  | { kind: "kept" }
  /** Another value, which somebody proposed. */
  | { kind: "new" }
  /** Typed in the form; counted in characters. */
  | { kind: "typed"; length: number };

/** One type's configuration at one side of a comparison; null where it is not registered. */
export type Side = { url: string; authorization: AuthorizationSide } | null;

export function sideOf(configuration: Configuration, type: WebhookType): Side {
  const webhook = webhookOf(configuration, type);
  return webhook
    ? { url: webhook.callbackUrl, authorization: authorizationSide(webhook.authorization) }
    : null;
}

export function authorizationSide({
  set,
  fingerprint,
  conflict,
}: ConfiguredWebhook["authorization"]): AuthorizationSide {
  if (conflict) return { kind: "conflict" };
  return set ? { kind: "set", fingerprint } : { kind: "unset" };
}

/** What the draft makes of one type that is as `before`. */
export function sideAfter(draft: Draft, before: Side): NonNullable<Side> {
  const { action, value } = draft.authorization;
  if (action === "replace")
    return { url: draft.url, authorization: { kind: "typed", length: value.length } };
  const kept = action === "keep" ? before?.authorization : undefined;
  return { url: draft.url, authorization: kept ?? { kind: "unset" } };
}

/** A typed value equals nothing: whether it is the one that is set is the server's to know. */
export function sameAuthorization(a: AuthorizationSide, b: AuthorizationSide): boolean {
  if (a.kind === "set" && b.kind === "set") return a.fingerprint === b.fingerprint;
  return a.kind === b.kind && a.kind !== "typed";
}

export function sameSide(a: Side, b: Side): boolean {
  if (!a || !b) return a === b;
  return a.url === b.url && sameAuthorization(a.authorization, b.authorization);
}
