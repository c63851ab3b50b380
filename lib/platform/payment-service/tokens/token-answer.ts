import "server-only";
import * as z from "zod";
import { Secret } from "@/lib/platform/runtime/secret";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import {
  judgeBadBody,
  judgeFailure,
  type Judgement,
} from "@/lib/platform/payment-service/answers/judgement";
import { parseJson } from "@/lib/platform/payment-service/answers/parse-json";
import type { WireAnswer } from "@/lib/platform/payment-service/transport/transport";

/** Section 2.1. `expires_in` is judged apart: a token with a nonsensical life is still a token. */
const tokenBody = z.object({
  // A JWT is far shorter; a header can carry visible ASCII.
  access_token: z
    .string()
    .max(8 * 1024)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.unknown().optional(),
} satisfies Record<keyof components["schemas"]["Token"], z.ZodType>);

export type IssuedToken = {
  token: Secret;
  /** Milliseconds from the time of the request; 0: for this one use only. */
  reusableForMs: number;
};

/** The meaning of an answer of the token operation, sections 2.1 and 7.1. */
export function judgeToken(answer: WireAnswer, secrets: readonly Secret[]): Judgement<IssuedToken> {
  if (answer.kind === "failed" || answer.status !== 200) {
    return judgeFailure("token", answer, secrets);
  }
  const json = parseJson(answer);
  if (!json.ok) return judgeBadBody("token", answer, { again: json.broken });
  const body = tokenBody.safeParse(json.value);
  if (!body.success) return judgeBadBody("token", answer, { again: false });
  const { access_token, expires_in } = body.data;
  return {
    kind: "done",
    value: { token: new Secret(access_token), reusableForMs: reusableForMs(expires_in) },
  };
}

const maxLifetime = 24 * 60 * 60;
const maxUse = 55 * 60;
const largestMargin = 60;

/**
 * The sample's token lives 1800 seconds (section 2.1). The margin, a minute or a fifth of a short life, lets a request
 * that begins with the token end with it. A life of a day or more, or none, is not believed.
 */
function reusableForMs(expiresIn: unknown): number {
  if (typeof expiresIn !== "number" || !Number.isInteger(expiresIn)) return 0;
  if (expiresIn <= 0 || expiresIn > maxLifetime) return 0;
  const margin = Math.min(largestMargin, expiresIn / 5);
  return Math.min(maxUse, expiresIn - margin) * 1_000;
}
