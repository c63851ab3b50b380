import { connect } from "node:net";

/** What came back over one connection: the status of each answer, and the text for when something failed. */
export type Exchanged = { statuses: number[]; text: string };

/** Longer than any deadline of Gancho towards the service; what takes longer does not answer at all. */
const patienceMs = 25_000;
const keptCharacters = 4_000;

/** By then a truncated request has its answer or never will: the caller hangs up. */
const hangUpMs = 400;

/**
 * Sends these bytes over a separate connection and reads until the other side ends it. A broken connection is an answer
 * like any other; the text ends with `timed out` for one that stays silent.
 */
export function exchange(url: URL, bytes: Buffer, isWhole = true): Promise<Exchanged> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let note = "";
    const socket = connect(Number(url.port), url.hostname);
    socket.setTimeout(patienceMs, () => {
      note = " timed out";
      socket.destroy();
    });
    socket.on("data", (part) => parts.push(part));
    // A server that refuses what it has not read to the end resets the connection.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const text = Buffer.concat(parts).toString("latin1");
      const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, code]) =>
        Number(code),
      );
      resolve({ statuses, text: text.slice(0, keptCharacters) + note });
    });
    socket.write(bytes);
    const hangUp = isWhole ? undefined : setTimeout(() => socket.end(), hangUpMs);
    socket.on("close", () => clearTimeout(hangUp));
  });
}

export type Message = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
};

/** The request as it goes over the wire; the connection ends with its answer. */
export function bytesOf({ method, path, headers, body }: Message): Buffer {
  const lines = Object.entries({
    ...headers,
    ...(body && { "content-length": String(body.length) }),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]);
}
