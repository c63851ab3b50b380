import "server-only";
import { ProblemError } from "@/lib/problem";

/** Larger than any of our forms by far (255 + 100 characters and their names). */
export const maxBodyBytes = 16 * 1024;

/**
 * The request's body as text. Throws `unsupported_media_type`, `body_too_large` (counted while reading, whatever
 * Content-Length says) or `malformed_request` for bytes that are not UTF-8.
 */
export async function readJsonText(request: Request): Promise<string> {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json")
    throw new ProblemError("unsupported_media_type", { applied: "no" });
  const bytes = await readAtMost(request, maxBodyBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ProblemError("malformed_request", {
      detail: "The body is not UTF-8.",
      applied: "no",
    });
  }
}

/** Throws `body_too_large` as soon as more than `limit` bytes have come, and `malformed_request` when the rest does not come. */
export async function readAtMost(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    for await (const part of whole(request.body as unknown as AsyncIterable<Uint8Array>)) {
      size += part.byteLength;
      if (size > limit) throw new ProblemError("body_too_large", { applied: "no" });
      parts.push(part);
    }
  }
  return Buffer.concat(parts);
}

/** Whoever hangs up in the middle of a body has sent half a request; that is no failure of ours. */
async function* whole(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new ProblemError("malformed_request", {
      detail: "The body did not come to its end.",
      applied: "no",
    });
  }
}
