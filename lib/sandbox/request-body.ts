import { parseStrictJson } from "./strict-json";
import { decodeUtf8 } from "./utf8";

/** Bytes; far above what the limits of section 8 allow a request to need. */
const maxBodyBytes = 16 * 1024;

type BodyReading =
  { ok: true; value: unknown } | { ok: false; status: 400 | 413 | 415; error: string };

/** Reads a request's JSON body without ever holding more than the limit of it, however it was announced. */
export async function readJsonBody(request: Request): Promise<BodyReading> {
  if (!isJson(request.headers)) {
    return { ok: false, status: 415, error: "The content type must be application/json" };
  }
  const bytes = await readBytes(request);
  if (bytes === "too large") {
    return { ok: false, status: 413, error: `The body is over ${maxBodyBytes} bytes` };
  }
  if (bytes === "cut") return { ok: false, status: 400, error: "The body was cut short" };
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

async function readBytes(request: Request): Promise<Uint8Array | "too large" | "cut"> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return "too large";
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      if (size > maxBodyBytes) return "too large";
      chunks.push(value);
    }
  } catch {
    // The connection ended first; nobody reads the answer, but the log does.
    return "cut";
  }
}
