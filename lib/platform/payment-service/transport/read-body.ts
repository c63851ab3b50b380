import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A body as far as it came. Only a whole one is ever looked into. */
export type WireBody =
  | { state: "whole"; bytes: Buffer }
  /** The connection broke, or the length does not fit. */
  | { state: "cut" }
  /** The deadline came first. */
  | { state: "late" }
  | { state: "too_large" }
  /** An encoding that we did not ask for and do not know, or that does not decode. */
  | { state: "unreadable" };

const firstCapacity = 4 * 1024;

/**
 * Collects a body up to a limit. The bytes are copied into one growing buffer: keeping the pieces themselves would let
 * a megabyte in pieces of one byte cost a hundred megabytes.
 */
export class BodyCollector {
  #bytes = Buffer.alloc(0);
  #length = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False when the body is larger than the limit; nothing is kept of it then. */
  add(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > this.#limit) {
      this.#bytes = Buffer.alloc(0);
      return false;
    }
    if (length > this.#bytes.length) {
      const capacity = Math.max(firstCapacity, length, this.#bytes.length * 2);
      const larger = Buffer.alloc(Math.min(this.#limit, capacity));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
    return true;
  }

  get collected(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

const unzip = promisify(gunzip);

/**
 * Undoes a content encoding. We ask for none (`identity`), but some intermediaries compress all the same; only gzip is
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
    const tooLarge =
      error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return { state: tooLarge ? "too_large" : "unreadable" };
  }
}
