import "server-only";
import * as z from "zod";
import { Secret } from "@/lib/platform/runtime/secret";
import type { Wire } from "@/lib/platform/payment-service/contract/terms";
import { judgeBadBody, judgeFailure, type Judgement } from "./judgement";
import { type WireAnswer, header } from "@/lib/platform/payment-service/transport/transport";
import type { ListedWebhook } from "@/lib/platform/payment-service/types";
import { decodeUtf8 } from "@/lib/platform/runtime/bounded-body";

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
    events: item.events,
  };
}

type Answered = Extract<WireAnswer, { kind: "answered" }>;
/** `broken`: the body did not come whole, or ends where JSON does not; trying again may help. */
type ParsedJson = { ok: true; value: unknown } | { ok: false; broken: boolean };

/**
 * The JSON of an answer, or not ok: no JSON content type, not strict UTF-8 (RFC 8259, 8.1: no byte order mark),
 * not whole.
 */
export function parseJson({ headers, body }: Answered): ParsedJson {
  if (body.state !== "whole") return { ok: false, broken: body.state === "cut" };
  if (!isJsonType(header(headers, "content-type"))) return { ok: false, broken: false };
  const text = decodeUtf8(body.bytes);
  if (text === null) return { ok: false, broken: false };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false, broken: true };
  }
}

/** `application/json` or a type that ends in `+json` (RFC 6839), with any parameters. */
function isJsonType(contentType: string | undefined): boolean {
  return /^application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(contentType?.trim() ?? "");
}

const maxShownLength = 200;
/** The length up to which a match with a secret may be chance. */
const maxChanceMatch = 7;

/**
 * The service's reason (`error`, section 2.5), as one line of plain text: at most 200 characters, no control or
 * invisible characters, and no piece of a secret of 8 characters or more. Undefined where there is none.
 *
 * Does not cover: a secret that the service returns in an encoding other than those of `formsOf`.
 */
export function upstreamText(
  answer: Extract<WireAnswer, { kind: "answered" }>,
  secrets: readonly Secret[],
): string | undefined {
  const masked = mask(plain(errorText(answer) ?? ""), secrets);
  // Once more, for half a character at the cut.
  const text = plain(masked.slice(0, maxShownLength));
  return text === "" ? undefined : text;
}

/** \p{C} holds the control characters, the bidirectional overrides, the invisible ones and lone surrogates. */
function plain(text: string): string {
  return text
    .replace(/[\t\n\v\f\r]/g, " ")
    .replace(/\p{C}/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Without regard to case, and in the encodings in which a service would quote a header or a field. */
function formsOf(secret: Secret): string[] {
  const value = secret.reveal();
  const base64 = Buffer.from(value, "utf8").toString("base64").replace(/=+$/, "");
  return [plain(value), encodeURIComponent(plain(value)), base64]
    .map(lower)
    .filter((form) => form !== "");
}

/** ASCII only, so that every character keeps its place. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Every stretch of the text that is also in a secret, if it is longer than chance or the whole secret. Services quote
 * beginnings of values; replacing only whole ones would let those through.
 */
function mask(text: string, secrets: readonly Secret[]): string {
  const searched = lower(text);
  const hidden = new Array<boolean>(text.length).fill(false);
  for (const form of secrets.flatMap(formsOf)) {
    const length = Math.min(form.length, maxChanceMatch + 1);
    const pieces = new Set<string>();
    for (let i = 0; i + length <= form.length; i += 1) pieces.add(form.slice(i, i + length));
    for (let i = 0; i + length <= searched.length; i += 1) {
      if (pieces.has(searched.slice(i, i + length))) hidden.fill(true, i, i + length);
    }
  }
  let masked = "";
  for (const [i, isHidden] of hidden.entries()) {
    if (!isHidden) masked += text[i];
    else if (!hidden[i - 1]) masked += "[secret]";
  }
  return masked;
}

/** Section 2.5. */
const errorBody = z.object({
  error: z.string(),
} satisfies Record<keyof Wire["Error"], z.ZodType>);

/** The reason in an error's body, as sent; null where the body is not the contract's. */
function errorText(answer: Extract<WireAnswer, { kind: "answered" }>): string | null {
  const json = parseJson(answer);
  const body = errorBody.safeParse(json.ok ? json.value : undefined);
  return body.success ? body.data.error : null;
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
