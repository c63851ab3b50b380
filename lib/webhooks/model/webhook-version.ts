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
  return a === b || canonicalUrl(a) === canonicalUrl(b);
}

/**
 * Whether a service may have written the one for the other: the same host, path and parameters, whatever the port, the
 * case of the path, a slash at its end and the order of the parameters.
 */
export function isSameSpelling(a: string, b: string): boolean {
  return a === b || spellingOf(a) === spellingOf(b);
}

function spellingOf(url: string): string {
  const canonical = canonicalUrl(url);
  if (!URL.canParse(canonical)) return canonical;
  const { protocol, username, password, hostname, pathname, searchParams } = new URL(canonical);
  const path = pathname.replace(/\/+$/, "").toLowerCase();
  const query = [...searchParams].map((pair) => JSON.stringify(pair)).sort();
  return JSON.stringify([protocol, username, password, hostname, path, query]);
}

export function sameAddress(a: WebhookVersion, b: WebhookVersion): boolean {
  if (!a || !b) return a === b;
  return isSameAddress(a.callbackUrl, b.callbackUrl);
}

/** `state` null: not registered. */
export type WebhookVersions = {
  type: WebhookType;
  state: WebhookVersion;
  /** In what was asked for: a person typed the value. Only the fingerprint of a value that was shown is shown. */
  typed?: boolean | undefined;
}[];

export function find(states: WebhookVersions, type: WebhookType): WebhookVersion {
  return states.find((entry) => entry.type === type)?.state ?? null;
}
