import "server-only";
import { parseJson } from "./parse-json";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import * as z from "zod";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { WireAnswer } from "@/lib/platform/payment-service/transport/transport";

const shown = 200;
/** The length up to which a match with a secret may be chance. */
const chance = 7;

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
  const text = plain(masked.slice(0, shown));
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
    const length = Math.min(form.length, chance + 1);
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
} satisfies Record<keyof components["schemas"]["Error"], z.ZodType>);

/** The reason in an error's body, as sent; null where the body is not the contract's. */
export function errorText(answer: Extract<WireAnswer, { kind: "answered" }>): string | null {
  const json = parseJson(answer);
  const body = errorBody.safeParse(json.ok ? json.value : undefined);
  return body.success ? body.data.error : null;
}
