import { header, type WireAnswer } from "@/lib/platform/payment-service/transport/transport";
import { decodeUtf8 } from "@/lib/platform/runtime/utf8";

type Answered = Extract<WireAnswer, { kind: "answered" }>;
/** `broken`: the body did not come whole, or ends where JSON does not; trying again may help. */
type ParsedJson = { ok: true; value: unknown } | { ok: false; broken: boolean };

/**
 * Far above any answer of this interface (section 2: three levels, a hundred items at the very most), and low enough to
 * keep the memory of a parsed body within a few times its bytes.
 */
const deepest = 16;
const maxValues = 20_000;

/**
 * The JSON of an answer, or not ok: no JSON content type, not strict UTF-8 (RFC 8259, 8.1: no byte order mark),
 * not whole, too deep, too many values.
 */
export function parseJson({ headers, body }: Answered): ParsedJson {
  if (body.state !== "whole") return { ok: false, broken: body.state === "cut" };
  if (!isJsonType(header(headers, "content-type"))) return { ok: false, broken: false };
  const text = decodeUtf8(body.bytes);
  if (text === null || !isModest(text)) return { ok: false, broken: false };
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

/** Counts depth and values without building anything. */
function isModest(text: string): boolean {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') {
      inString = true;
    } else if (character === "{" || character === "[") {
      depth += 1;
      values += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
    } else if (character === ",") {
      values += 1;
    }
    if (depth > deepest || values > maxValues) return false;
  }
  return true;
}
