import { randomBytes } from "node:crypto";
import type { Needle } from "./search";

/** Secrets that must not leak, by kind. Each value of a test run is made here, so that it is recognised anywhere. */
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
const canaryMark = (kind: CanaryKind) => `Canary7d20-${kind}-`;

/** A secret of a test run. `name` distinguishes several of a kind. */
export const canary = (kind: CanaryKind, name: string | number) => canaryMark(kind) + name;

/** An encryption key for ENCRYPTION_KEYS: 32 bytes that begin with the mark. */
export function canaryKey(kind: CanaryKind = "encryption-key"): string {
  const mark = Buffer.from(canaryMark(kind));
  return Buffer.concat([mark, Buffer.of(0xff), randomBytes(31 - mark.length)]).toString("base64");
}

/** Recognisable by themselves: the canaries, and the sandbox's access tokens, which begin with their issuer. */
export const markNeedles: Needle[] = [
  ...canaryKinds.map((kind) => ({ kind, text: canaryMark(kind) })),
  { kind: "access token", text: '{"iss":"gancho-sandbox",' },
];
