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

  /** False when the body is larger than the limit; nothing of it is kept then. */
  add(piece: Uint8Array): boolean {
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
    this.#bytes.set(piece, this.#length);
    this.#length = length;
    return true;
  }

  get collected(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}

/**
 * A body of at most `limit` bytes, counted while it comes, whatever its headers claim; null for a longer one. Reads a
 * longer one up to `drain`, so that its sender still gets the answer. Throws what reading it throws.
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  drain = limit,
): Promise<Buffer<ArrayBuffer> | null> {
  const collector = new BodyCollector(limit);
  let isWhole = true;
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    isWhole &&= collector.add(piece);
    if (!isWhole && size > drain) break;
  }
  return isWhole ? collector.collected : null;
}

/** The first `keep` bytes of a body, and its length; null for one over `most` bytes, which is not read to its end. */
export async function readStart(
  body: AsyncIterable<Uint8Array>,
  keep: number,
  most: number,
): Promise<{ start: Buffer<ArrayBuffer>; bytes: number } | null> {
  const collector = new BodyCollector(keep);
  let bytes = 0;
  for await (const piece of body) {
    collector.add(piece.subarray(0, Math.max(0, keep - bytes)));
    bytes += piece.byteLength;
    if (bytes > most) return null;
  }
  return { start: collector.collected, bytes };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 exactly: null if the bytes are not UTF-8; a byte order mark stays what it is, a character. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
