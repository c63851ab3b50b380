import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";

/** The part of one type's configuration that a save is about. null: not registered. */
export type WebhookVersion = {
  callbackUrl: string;
  fingerprint: string | null;
  /** The service shows two different values under the contract's two names. */
  conflict?: true | undefined;
  /**
   * The service shows a placeholder (`masked`) or nothing, though a value may be set (`absent`). No fingerprint then.
   */
  hidden?: "masked" | "absent" | undefined;
} | null;

/** `same_address`: the addresses are equal and the Authorization values cannot be compared. */
type Comparison = "same" | "same_address" | "different";

/**
 * An address normalised by RFC 3986 (6.2.2), to compare: services spell the same address differently. `new URL` does
 * all of that except percent-encoding.
 */
export function canonicalUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  return new URL(url).href.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });
}

export function isSameAddress(a: string, b: string): boolean {
  return canonicalUrl(a) === canonicalUrl(b);
}

export function sameAddress(a: WebhookVersion, b: WebhookVersion): boolean {
  if (!a || !b) return a === b;
  return isSameAddress(a.callbackUrl, b.callbackUrl);
}

export function compareVersions(a: WebhookVersion, b: WebhookVersion): Comparison {
  if (!sameAddress(a, b)) return "different";
  if (!a || !b) return "same";
  if (a.hidden === "masked" || b.hidden === "masked")
    return a.hidden === b.hidden ? "same" : "same_address";
  if (a.hidden !== b.hidden && a.fingerprint === b.fingerprint && a.conflict === b.conflict)
    return "same_address";
  return a.fingerprint === b.fingerprint && a.conflict === b.conflict ? "same" : "different";
}

export function sameVersion(a: WebhookVersion, b: WebhookVersion): boolean {
  return compareVersions(a, b) === "same";
}

/**
 * What a list shows of the value that Gancho wrote last for a type: exactly this `value`; `none`, where Gancho wrote none
 * and the list proved it since; or something else. undefined: nothing tells.
 */
export const shownValues = ["value", "none", "other"] as const;
export type ShownValue = (typeof shownValues)[number];

export type WebhookVersions = {
  type: WebhookType;
  state: WebhookVersion;
  /**
   * In a desired version: a person typed the value. Only the fingerprint of a value that the service holds is shown.
   */
  typed?: boolean | undefined;
  /** In the version before. */
  known?: ShownValue | undefined;
}[];

export function find(states: WebhookVersions, type: WebhookType): WebhookVersion {
  return states.find((entry) => entry.type === type)?.state ?? null;
}
