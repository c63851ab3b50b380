import type { SnapshotWebhook } from "./snapshot";

/** The part of one type's configuration that a save is about. null: not registered. */
export type State = { callbackUrl: string; fingerprint: string | null } | null;

export function stateOf(webhook: SnapshotWebhook | undefined): State {
  return webhook ? { callbackUrl: webhook.callbackUrl, fingerprint: webhook.fingerprint } : null;
}

export function sameState(a: State, b: State): boolean {
  if (!a || !b) return a === b;
  return a.callbackUrl === b.callbackUrl && a.fingerprint === b.fingerprint;
}
