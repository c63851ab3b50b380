/**
 * Preloaded into every dashboard of a test run: records each answer for the search at the end of the run. Skips files
 * of the build, which are searched on the disk.
 */
import { appendFileSync } from "node:fs";
import { ServerResponse } from "node:http";
import path from "node:path";

const folder = process.env.RECORD_ANSWERS;

if (folder !== undefined) {
  const file = path.join(folder, `${process.pid}.jsonl`);
  const parts = new WeakMap();
  const { write, end } = ServerResponse.prototype;

  ServerResponse.prototype.write = function (chunk, encoding, ...rest) {
    keep(this, chunk, encoding);
    return write.call(this, chunk, encoding, ...rest);
  };

  // It sends its chunk without calling `write`.
  ServerResponse.prototype.end = function (chunk, encoding, ...rest) {
    keep(this, chunk, encoding);
    note(this);
    return end.call(this, chunk, encoding, ...rest);
  };

  function keep(response, chunk, encoding) {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
    const bytes = Buffer.from(chunk, typeof encoding === "string" ? encoding : undefined);
    if (!parts.has(response)) parts.set(response, []);
    parts.get(response).push(bytes);
  }

  function note(response) {
    const { method, url } = response.req;
    if (url.startsWith("/_next/static/")) return;
    const body = Buffer.concat(parts.get(response) ?? []).toString("base64");
    const headers = response.getHeaders();
    appendFileSync(file, `${JSON.stringify({ method, url, headers, body })}\n`);
  }
}
