import { decodeUtf8 } from "@/lib/platform/runtime/bounded-body";

/** The credentials of an `Authorization` header, or why it has none, in the words of section 7.1. */
type HeaderReading<T> =
  | { ok: true; value: T }
  | { ok: false; reason: "Missing credentials" | "Invalid credentials format" };

type BasicCredentials = { userId: string; password: string };

/** RFC 9110, section 11.4: scheme, one or more spaces, one token68. */
const schemeAndToken = /^([!#$%&'*+.^_`|~\w-]+) +([\w.~+/-]+=*)$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads Basic credentials as RFC 7617 writes them: the scheme's case does not matter, the text is UTF-8, only the
 * first colon splits, and neither half may hold a control character. Base64 must be padded and canonical.
 */
export function readBasic(header: string | undefined): HeaderReading<BasicCredentials> {
  const reading = readScheme(header, "basic");
  if (!reading.ok) return reading;
  const text = decodeBase64(reading.value);
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon === -1 || /\p{Cc}/u.test(text)) return invalidFormat;
  return {
    ok: true,
    value: { userId: text.slice(0, colon), password: text.slice(colon + 1) },
  };
}

/** Reads a Bearer token (RFC 6750, section 2.1). */
export function readBearer(header: string | undefined): HeaderReading<string> {
  return readScheme(header, "bearer");
}

const invalidFormat = { ok: false, reason: "Invalid credentials format" } as const;

function readScheme(header: string | undefined, scheme: string): HeaderReading<string> {
  if (header === undefined || header === "") return { ok: false, reason: "Missing credentials" };
  const [, found, token] = schemeAndToken.exec(header) ?? [];
  return found?.toLowerCase() === scheme && token !== undefined
    ? { ok: true, value: token }
    : invalidFormat;
}

function decodeBase64(text: string): string | null {
  if (!base64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  // Leftover bits that are not zero would let many spellings stand for one value.
  if (bytes.toString("base64") !== text) return null;
  return decodeUtf8(bytes);
}
