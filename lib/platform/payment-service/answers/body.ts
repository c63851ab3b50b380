import "server-only";
import * as z from "zod";
import { decodeUtf8 } from "@/lib/platform/runtime/bounded-body";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { Wire } from "@/lib/platform/payment-service/contract/terms";
import { type WireAnswer, header } from "@/lib/platform/payment-service/transport/transport";

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
export function upstreamText(answer: Answered, secrets: readonly Secret[]): string | undefined {
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
export function errorText(answer: Answered): string | null {
  const json = parseJson(answer);
  const body = errorBody.safeParse(json.ok ? json.value : undefined);
  return body.success ? body.data.error : null;
}
