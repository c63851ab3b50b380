import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { canary, markNeedles } from "@/e2e/canaries/canary";
import { issuedNeedles, searchAnswers } from "@/e2e/canaries/search-answers";
import { recordingEnv, checkPolicies } from "./recorded";

const folder = mkdtempSync(path.join(tmpdir(), "gancho-answers-"));
const secret = canary("authorization", "of the test");
const token = "a-token-that-lets-somebody-in";

/** Answers as the dashboard does: whole or in parts, compressed or not, with a secret here and there. */
const program = `
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
const [secret, token] = ${JSON.stringify([secret, token])};
const html = { "content-type": "text/html", "content-security-policy": "script-src 'nonce-once'" };
const answers = {
  "/_next/static/a.js": (response) => response.end(secret),
  "/plain": (response) => response.end("nothing"),
  "/parts": (response) => { response.write(secret.slice(0, 9)); response.end(Buffer.from(secret.slice(9))); },
  "/header": (response) => response.setHeader("x-told", secret).end(),
  "/zip": (response) => response.setHeader("content-encoding", "gzip").end(gzipSync(secret)),
  "/reveal": (response) => response.end(secret),
  "/invite": (response) => response.end(JSON.stringify({ link: "https://x/#" + token })),
  "/repeat": (response) => response.end(token),
  "/page": (response) => { for (const name in html) response.setHeader(name, html[name]); response.end("<p>"); },
};
const server = createServer((request, response) => answers[request.url](response)).listen(0, "127.0.0.1");
server.on("listening", () => console.log(server.address().port));
`;

let server: ChildProcess;
let url = "";
beforeAll(async () => {
  server = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, ...recordingEnv(folder) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(server.stdout ?? server, "data")) as [Buffer];
  url = `http://127.0.0.1:${line.toString().trim()}`;
});
afterAll(() => server.kill());

async function send(address: string, method = "GET"): Promise<void> {
  await (await fetch(url + address, { method })).arrayBuffer();
}

it("finds a secret in any answer but the one that gives it to its recipient", async () => {
  for (const address of ["/_next/static/a.js", "/plain", "/reveal"]) await send(address);
  await send("/invite", "POST");
  const needles = async () => [...markNeedles, ...(await issuedNeedles(folder))];
  expect(await searchAnswers(folder, await needles())).toEqual({ findings: [], answers: 3 });
  for (const address of ["/parts", "/header", "/zip", "/repeat"]) await send(address);
  const { findings } = await searchAnswers(folder, await needles());
  expect(findings.map(({ kind, answer }) => [kind, answer])).toEqual([
    ["authorization", "GET /parts"],
    ["authorization", "GET /header"],
    ["authorization", "GET /zip"],
    ["one-time link", "GET /repeat"],
  ]);
});

it("fails the run for a page without a new nonce", async () => {
  await send("/page");
  await expect(checkPolicies(folder)).resolves.toBe(1);
  await send("/page");
  await expect(checkPolicies(folder)).rejects.toThrow("1 of 2 pages repeated a nonce");
});
