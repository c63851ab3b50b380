import { createReadStream, readdirSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { constants, gunzipSync } from "node:zlib";
import * as z from "zod";

/** One answer of a dashboard, as record.mjs recorded it. */
export type Answer = {
  method: string;
  /** The requested path with its query. */
  address: string;
  /** Names in lower case. */
  headers: Record<string, unknown>;
  /** Decompressed. */
  body: Buffer;
};

/** The subfolder of a run's folder that holds the recorded answers. */
export const answersFolder = "answers";

const line = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.unknown()),
  body: z.string(),
});

/** The environment variables that make a dashboard record its answers in this folder. */
export function recordingEnv(folder: string): Record<string, string> {
  const preload = new URL("record.mjs", import.meta.url).href;
  return { RECORD_ANSWERS: folder, NODE_OPTIONS: `--import=${preload}` };
}

/** The answers of each process, in the order in which they ended. */
export async function* recordedAnswers(folder: string): AsyncGenerator<Answer> {
  for (const name of readdirSync(folder))
    for await (const text of createInterface(createReadStream(path.join(folder, name)))) {
      const { method, url, headers, body } = line.parse(JSON.parse(text));
      yield { method, address: url, headers, body: plain(Buffer.from(body, "base64"), headers) };
    }
}

/** An aborted answer as far as it was sent. */
const plain = (body: Buffer, headers: Answer["headers"]): Buffer =>
  headers["content-encoding"] === "gzip"
    ? gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH })
    : body;

/**
 * Returns how many pages the run received. Throws if one had no policy with a nonce, or two had the same: an attacker
 * who sees one of them could then inject scripts into the other.
 */
export async function checkPolicies(folder: string): Promise<number> {
  const nonces: string[] = [];
  for await (const answer of recordedAnswers(folder))
    if (isPage(answer)) nonces.push(nonceOf(answer));
  const repeats = nonces.length - new Set(nonces).size;
  if (repeats > 0) throw new Error(`${repeats} of ${nonces.length} pages repeated a nonce`);
  return nonces.length;
}

const isPage = ({ headers, body }: Answer) =>
  body.length > 0 && String(headers["content-type"]).startsWith("text/html");

function nonceOf({ method, address, headers }: Answer): string {
  const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
  if (nonce === undefined) throw new Error(`${method} ${address} has no policy with a nonce`);
  return nonce;
}
