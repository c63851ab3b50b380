import { randomBytes } from "node:crypto";
import type { Needle } from "./search";

/** What must not get out, by kind. Each value of a test run is made here, so that it can be told wherever it turns up. */
export const canaryKinds = [
  "client-secret",
  "authorization",
  "password",
  "auth-secret",
  "encryption-key",
  "alerts-secret",
] as const;
type CanaryKind = (typeof canaryKinds)[number];

/** How every value of a kind begins. */
function canaryMark(kind: CanaryKind): string {
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

/** What tells itself: the canaries, and the sandbox's access tokens, whose payload begins with who issued them. */
export const markNeedles: Needle[] = [
  ...canaryKinds.map((kind) => ({ kind, text: canaryMark(kind) })),
  { kind: "access token", text: '{"iss":"gancho-sandbox",' },
];
