import { errorCode } from "@/lib/platform/runtime/error-code";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A body as far as it came. Only a whole one is ever read. */
export type WireBody =
  | { state: "whole"; bytes: Buffer }
  /** The connection broke, or the length does not fit. */
  | { state: "cut" }
  /** The deadline came first. */
  | { state: "late" }
  | { state: "too_large" }
  /** An encoding that we did not accept and do not know, or that does not decode. */
  | { state: "unreadable" };

const unzip = promisify(gunzip);

/**
 * Undoes a content encoding. We accept none (`identity`), but some intermediaries compress all the same; only gzip is
 * understood, and never beyond the limit, so that a bomb stays small.
 */
export async function decodeBody(
  bytes: Buffer,
  contentEncoding: string | undefined,
  limit: number,
): Promise<WireBody> {
  const encoding = (contentEncoding ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return { state: "whole", bytes };
  if (encoding !== "gzip" && encoding !== "x-gzip") return { state: "unreadable" };
  try {
    return { state: "whole", bytes: await unzip(bytes, { maxOutputLength: limit }) };
  } catch (error) {
    const tooLarge = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
    return { state: tooLarge ? "too_large" : "unreadable" };
  }
}
