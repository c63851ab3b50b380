import { once } from "node:events";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Action, PlannedAnswer } from "./plan";
import { STATUS_CODES } from "node:http";
import { gzipSync } from "node:zlib";
import type { SandboxAnswer } from "./forward";

/** Writes bytes as the action says: slowly, or cut off. Stops when the other side closes or `signal` aborts. */
export async function writeAnswer(
  socket: Duplex,
  bytes: Iterable<Buffer>,
  { drip, cutAfter = Infinity }: Action,
  signal: AbortSignal,
): Promise<void> {
  let left = cutAfter;
  for (const piece of bytes) {
    const wanted = piece.subarray(0, Math.min(left, piece.length));
    left -= wanted.length;
    const size = drip?.bytes ?? Math.max(1, wanted.length);
    for (let at = 0; at < wanted.length; at += size) {
      if (signal.aborted || !socket.writable) return;
      await write(socket, wanted.subarray(at, at + size), signal);
      if (drip) await pause(drip.everyMs, null, { signal }).catch(() => null);
    }
    if (left <= 0) return;
  }
}

async function write(socket: Duplex, bytes: Buffer, signal: AbortSignal): Promise<void> {
  if (socket.write(bytes)) return;
  const gone = new AbortController();
  const stop = () => gone.abort();
  socket.once("close", stop);
  signal.addEventListener("abort", stop, { once: true });
  await once(socket, "drain", { signal: gone.signal }).catch(() => null);
  socket.removeListener("close", stop);
  signal.removeEventListener("abort", stop);
}

/** The answer to one request, piece by piece, so that a huge one is never held in memory. */
export function* answerBytes(
  action: Action,
  fromSandbox: SandboxAnswer | null,
  connection: "close" | "keep-alive",
): Generator<Buffer> {
  if (action.raw !== undefined) {
    yield Buffer.from(action.raw, "latin1");
  } else if (action.answer) {
    yield* plannedBytes(action.answer, connection);
  } else if (fromSandbox) {
    const { status, headers, body } = fromSandbox;
    yield head(status, { connection, ...headers }, body.length);
    yield body;
  }
}

function* plannedBytes(answer: PlannedAnswer, connection: string): Generator<Buffer> {
  const { status = 200, body = "", base64 = false, gzip = false } = answer;
  const headers = { connection, ...answer.headers };
  const once = Buffer.from(body, base64 ? "base64" : "utf8");
  const repeat = answer.repeat ?? 1;
  if (gzip) {
    const compressed = gzipSync(Buffer.concat(new Array<Buffer>(repeat).fill(once)));
    yield head(status, { "content-encoding": "gzip", ...headers }, compressed.length);
    yield compressed;
    return;
  }
  yield head(status, headers, once.length * repeat);
  for (let i = 0; i < repeat; i += 1) yield once;
}

function head(status: number, headers: Record<string, string>, length: number): Buffer {
  const all: Record<string, string> = {
    "content-type": "application/json",
    ...(headers["transfer-encoding"] === undefined ? { "content-length": String(length) } : {}),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === "" ? [] : [`${name}: ${value}\r\n`],
  );
  return Buffer.from(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${lines.join("")}\r\n`,
    "latin1",
  );
}
