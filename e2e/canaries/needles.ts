import { canaryKinds, canaryMark } from "./canary";
import type { Needle } from "./search";

/** What tells itself: the canaries, and the sandbox's access tokens, whose payload begins with who issued them. */
export const markNeedles: Needle[] = [
  ...canaryKinds.map((kind) => ({ kind, text: canaryMark(kind) })),
  { kind: "access token", text: '{"iss":"gancho-sandbox",' },
];
