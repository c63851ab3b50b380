import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { request } from "undici";
import { beforeAll, expect, it } from "vitest";
import { compressStaticFiles, withStaticFiles } from "./static-files";

const script = "export const many = 'words and words and words';\n".repeat(50);
let origin: string;

beforeAll(async () => {
  const folder = newFolder();
  mkdirSync(path.join(folder, "static/chunks"), { recursive: true });
  writeFileSync(path.join(folder, "static/chunks/0abc.js"), script);
  writeFileSync(path.join(folder, "secret.js"), "nobody's business");
  await compressStaticFiles(path.join(folder, "static"));
  const server = createServer(
    withStaticFiles(path.join(folder, "static"), ({ url }, response) =>
      response.end(`page ${url}`),
    ),
  ).prependListener("request", (_, response) => response.setHeader("x-request-id", "of-one"));
  origin = `http://127.0.0.1:${await listenHere(server)}`;
});

async function get(address: string, encoding: string) {
  const { headers, body } = await request(origin + address, {
    headers: { "accept-encoding": encoding },
  });
  return { headers, body: Buffer.from(await body.arrayBuffer()) };
}

it("sends a file of the build as compressed as the browser can read it, to be kept for good", async () => {
  const { headers, body } = await get("/_next/static/chunks/0abc.js", "gzip, br");
  expect(headers).toMatchObject({
    "content-encoding": "br",
    "cache-control": "public,max-age=31536000,immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    vary: "Accept-Encoding",
  });
  expect(brotliDecompressSync(body).toString()).toBe(script);
  const zipped = await get("/_next/static/chunks/0abc.js", "gzip");
  expect(zipped.headers["content-encoding"]).toBe("gzip");
  expect((await get("/_next/static/chunks/0abc.js", "identity")).body.toString()).toBe(script);
});

it("sends no header with a file that is true of one request only", async () => {
  const { headers } = await get("/_next/static/chunks/0abc.js", "br");
  expect(headers).not.toHaveProperty("x-request-id");
  expect(headers).not.toHaveProperty("etag");
  expect((await get("/partners", "br")).headers["x-request-id"]).toBe("of-one");
});

it.each([
  "/_next/static/../secret.js",
  "/_next/static/..%2fsecret.js",
  "/_next/static/chunks/%2e%2e%2f%2e%2e%2fsecret.js",
  "/_next/static/gone.js",
  "/partners",
])("leaves %s to the pages (threat: files beside those of the build)", async (address) => {
  const answer = await get(address, "identity");
  expect(answer.body.toString()).toMatch(/^page \//);
});
