import { randomBytes } from "node:crypto";

/** What must not get out, by kind. Each value of a test run is made here, so that it can be told wherever it turns up. */
export const canaryKinds = [
  "client-secret",
  "authorization",
  "password",
  "auth-secret",
  "encryption-key",
  "alerts-secret",
] as const;
export type CanaryKind = (typeof canaryKinds)[number];

/** How every value of a kind begins. */
export function canaryMark(kind: CanaryKind): string {
  return `Canary7d20-${kind}-`;
}

/** A secret of a test run. `name` tells several of a kind apart. */
export function canary(kind: CanaryKind, name: string | number): string {
  return canaryMark(kind) + name;
}

/** An encryption key, as ENCRYPTION_KEYS has them: 32 bytes, the first of which are the mark. */
export function canaryKey(kind: CanaryKind = "encryption-key"): string {
  const mark = Buffer.from(canaryMark(kind));
  return Buffer.concat([mark, Buffer.of(0xff), randomBytes(31 - mark.length)]).toString("base64");
}
