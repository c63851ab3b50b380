import "server-only";
import * as z from "zod";
import { Secret } from "@/lib/platform/runtime/secret";
import type { Wire } from "@/lib/platform/payment-service/contract/terms";
import { judgeBadBody, judgeFailure, type Judgement } from "./judgement";
import type { WireAnswer } from "@/lib/platform/payment-service/transport/transport";
import type { ListedWebhook } from "@/lib/platform/payment-service/types";
import { errorText, parseJson } from "./body";

/** Text that can be shown and kept: bounded, and without halves of characters. */
const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => !/\p{Surrogate}/u.test(value));

/** Far above the contract's limits (section 8): overlong values are shown; absurd ones are refused. */
const webhookItem = z.object({
  type: text(100).nullable().catch(null).default(null),
  callback_url: text(2_048),
  // Another type would be a value that we cannot show: refusing is better than reporting none.
  auth_header: text(4_096).nullish(),
  authorization: text(4_096).nullish(),
  events: z.array(text(200)).max(100).nullable().catch(null).default(null),
} satisfies Record<keyof Wire["WebhookConfiguration"], z.ZodType>);

/** Section 2.2. Two items are all that the contract knows; a hundred are still shown. */
const listBody = z.object({
  webhooks: z.array(webhookItem).max(100),
} satisfies Record<keyof Wire["WebhookList"], z.ZodType>);

type List = { webhooks: ListedWebhook[]; unclear: boolean };

/** The meaning of an answer of the list operation, sections 2.2, 4.2 and 7.2. */
export function judgeList(answer: WireAnswer, secrets: readonly Secret[]): Judgement<List> {
  if (answer.kind === "answered") {
    if (answer.status === 404) return judgeNotFound(answer, secrets);
    if (answer.status === 200) {
      const json = parseJson(answer);
      if (!json.ok) return judgeBadBody("list", answer, { retryable: json.broken });
      const body = listBody.safeParse(json.value);
      if (!body.success) return judgeBadBody("list", answer, { retryable: false });
      return { kind: "done", value: { webhooks: body.data.webhooks.map(listed), unclear: false } };
    }
  }
  return judgeFailure("list", answer, secrets);
}

/** The only place where a text decides (section 7.2): a wrong address answers 404 as well. */
function judgeNotFound(
  answer: Extract<WireAnswer, { kind: "answered" }>,
  secrets: readonly Secret[],
): Judgement<List> {
  const json = parseJson(answer);
  if (json.ok) {
    const stated = errorText(answer)?.trim() === "Configuration not found";
    return { kind: "done", value: { webhooks: [], unclear: !stated } };
  }
  if (answer.body.state === "cut" || answer.body.state === "late") {
    return judgeBadBody("list", answer, { retryable: json.broken });
  }
  return judgeFailure("list", answer, secrets);
}

function listed(item: z.infer<typeof webhookItem>): ListedWebhook {
  const { auth_header: header = null, authorization: attribute = null } = item;
  const conflict = header !== null && attribute !== null && header !== attribute;
  const value = conflict ? "" : (header ?? attribute ?? "");
  return {
    type: item.type,
    callbackUrl: item.callback_url,
    authorization: value === "" ? null : new Secret(value),
    authorizationConflict: conflict,
    ...(conflict && { bothValues: new Secret(JSON.stringify([header, attribute])) }),
    events: item.events,
  };
}

/** Section 2.1. `expires_in` is judged apart: a token with a nonsensical life is still a token. */
const tokenBody = z.object({
  // A JWT is far shorter; a header can carry visible ASCII.
  access_token: z
    .string()
    .max(8 * 1024)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.unknown().optional(),
} satisfies Record<keyof Wire["Token"], z.ZodType>);

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
  if (!json.ok) return judgeBadBody("token", answer, { retryable: json.broken });
  const body = tokenBody.safeParse(json.value);
  if (!body.success) return judgeBadBody("token", answer, { retryable: false });
  const { access_token, expires_in } = body.data;
  return {
    kind: "done",
    value: { token: new Secret(access_token), reusableForMs: reusableForMs(expires_in) },
  };
}

const maxLifetime = 24 * 60 * 60;
const maxUse = 55 * 60;
const maxMargin = 60;

/**
 * The sample's token lives 1800 seconds (section 2.1). The margin, a minute or a fifth of a short life, lets a request
 * that begins with the token end with it. A life of a day or more, or none, is not believed.
 */
function reusableForMs(expiresIn: unknown): number {
  if (typeof expiresIn !== "number" || !Number.isInteger(expiresIn)) return 0;
  if (expiresIn <= 0 || expiresIn > maxLifetime) return 0;
  const margin = Math.min(maxMargin, expiresIn / 5);
  return Math.min(maxUse, expiresIn - margin) * 1_000;
}
