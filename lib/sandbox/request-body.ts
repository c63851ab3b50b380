import { readBounded } from "@/lib/platform/runtime/bounded-body";
import { decodeUtf8 } from "@/lib/platform/runtime/utf8";
import { parseStrictJson } from "./strict-json";

/** Bytes; far above what the limits of section 8 allow a request to need. */
const maxBodyBytes = 16 * 1024;

type BodyReading =
  { ok: true; value: unknown } | { ok: false; status: 400 | 413 | 415; error: string };

/** Reads a request's JSON body without ever holding more than the limit of it, however it was announced. */
export async function readJsonBody(request: Request): Promise<BodyReading> {
  if (!isJson(request.headers)) {
    return { ok: false, status: 415, error: "The content type must be application/json" };
  }
  const tooLarge = {
    ok: false,
    status: 413,
    error: `The body is over ${maxBodyBytes} bytes`,
  } as const;
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return tooLarge;
  let bytes: Uint8Array | null;
  try {
    bytes = request.body ? await readBounded(request.body, maxBodyBytes) : new Uint8Array();
  } catch {
    // The connection ended first; nobody reads the answer, but the log does.
    return { ok: false, status: 400, error: "The body was cut short" };
  }
  if (!bytes) return tooLarge;
  const text = decodeUtf8(bytes);
  const json = text === null ? null : parseStrictJson(text);
  return json === null
    ? { ok: false, status: 400, error: "The body is not JSON in UTF-8, or has a key twice" }
    : { ok: true, value: json.value };
}

/** RFC 8259: JSON between systems is UTF-8, so a charset that says otherwise is another type. */
const jsonType = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*)?)?$/i;

function isJson(headers: Headers): boolean {
  const encoding = headers.get("content-encoding") ?? "identity";
  return jsonType.test(headers.get("content-type") ?? "") && encoding.toLowerCase() === "identity";
}
