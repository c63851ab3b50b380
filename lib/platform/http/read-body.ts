import "server-only";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { readBounded, readStart, decodeUtf8 } from "@/lib/platform/runtime/bounded-body";

/** Deeper bodies than any of ours are an attack on a parser, not a request. */
const maxDepth = 8;

/**
 * JSON as strict as our forms write it. Beyond `JSON.parse` it refuses duplicate keys (two readers could pick different
 * ones), `__proto__` and its kin (prototype pollution) and depth over 8. Throws `malformed_request`. It does not check
 * the shape; a schema does.
 */
export function parseStrictJson(text: string): unknown {
  const value = parse(text);
  rejectUnsafeKeys(text);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    refuse("The body is not valid JSON.");
  }
}

const unsafeKeys = new Set(["__proto__", "constructor", "prototype"]);
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** `text` is valid JSON, so only strings and punctuation need distinguishing. */
function rejectUnsafeKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : null);
      if (open.length > maxDepth) refuse(`The body is nested deeper than ${maxDepth} levels.`);
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === ":") {
      const key: unknown = JSON.parse(last);
      const keys = open.at(-1);
      if (typeof key !== "string" || !keys) continue;
      if (unsafeKeys.has(key)) refuse("The body has a key that is not allowed.");
      if (keys.has(key)) refuse("The body has the same key twice.");
      keys.add(key);
    }
    last = token;
  }
}

function refuse(detail: string): never {
  throw new ProblemError("malformed_request", { detail, applied: "no" });
}

/** Larger than any of our forms by far (255 + 100 characters and their names). */
export const maxBodyBytes = 16 * 1024;

/** A larger body is still read up to here, so that its caller has sent it and gets the refusal. */
const drainLimit = 256 * 1024;

/**
 * The request's body as text. Throws `unsupported_media_type`, `body_too_large` (counted while reading, whatever
 * Content-Length says) or `malformed_request` for bytes that are not UTF-8.
 */
export async function readJsonText(request: Request): Promise<string> {
  const { headers } = request;
  if (!isPlainJson(headers.get("content-type"), headers.get("content-encoding")))
    throw new ProblemError("unsupported_media_type", { applied: "no" });
  const bytes = await readAtMost(request, maxBodyBytes);
  const text = decodeUtf8(bytes);
  if (text === null) refuse("The body is not UTF-8.");
  return text;
}

/**
 * RFC 8259: JSON between systems is UTF-8. Refuses other charsets and encodings, which others would read differently.
 */
const jsonType = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*)?)?$/i;

export function isPlainJson(type: HeaderValue, encoding: HeaderValue): boolean {
  return jsonType.test(type ?? "") && (encoding ?? "identity").toLowerCase() === "identity";
}

type HeaderValue = string | null | undefined;

/**
 * Keeps at most `limit` bytes. Throws `body_too_large` for more, and `malformed_request` when the rest does not come.
 */
export async function readAtMost(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array();
  const body = whole(request.body);
  const bytes = await readBounded(body, limit, drainLimit);
  if (!bytes) throw new ProblemError("body_too_large", { applied: "no" });
  return bytes;
}

/** The same where a longer body is wanted, of which only the start is kept: `keep` bytes of at most `most`. */
export async function readStartOf(
  request: Request,
  keep: number,
  most: number,
): Promise<{ start: Uint8Array<ArrayBuffer>; bytes: number }> {
  if (!request.body) return { start: new Uint8Array(), bytes: 0 };
  const read = await readStart(whole(request.body), keep, most);
  if (!read) throw new ProblemError("body_too_large", { applied: "no" });
  return read;
}

/** A client that disconnects in the middle of a body has sent half a request; that is no failure of ours. */
async function* whole(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch {
    refuse("The body ended early.");
  }
}
