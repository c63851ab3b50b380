import { cookieOf } from "@/e2e/fixtures/signed-in";
import { createPartner } from "@/e2e/fixtures/partner";
import { capturesSchema } from "@/lib/capture/model/capture";
import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import path from "node:path";

/** Senders at the receiving address of a partner, over sockets. */

const base = process.env["E2E_URL"] ?? "";

/** A partner whose admin has switched an address on. */
async function receiving() {
  const partner = await createPartner();
  const at = `${base}/api/partners/${partner.id}/sandbox/capture`;
  const headers = {
    cookie: await cookieOf(await partner.person("admin")),
    origin: base,
    "x-requested-by": "gancho",
    "content-type": "application/json",
  };
  const body = JSON.stringify({ type: "pix_in", on: true });
  expect((await fetch(at, { method: "PUT", headers, body })).status).toBe(200);
  const capture = async () => {
    const { captures } = capturesSchema.parse(await (await fetch(at, { headers })).json());
    return captures[0];
  };
  // The proxy leads the address to here.
  const url = new URL((await capture())?.url ?? "");
  return { path: url.pathname, arrivals: async () => (await capture())?.arrivals ?? [] };
}

const send = async (path: string, body: BodyInit = "{}", headers: Record<string, string> = {}) => {
  const answer = await fetch(base + path, { method: "POST", body, headers });
  await answer.arrayBuffer();
  return answer.status;
};

test("a flood of one address is bounded, and another partner's goes on", async () => {
  const [flooded, other] = [await receiving(), await receiving()];
  const all = await Promise.all([
    ...Array.from({ length: 80 }, () => send(flooded.path)),
    send(other.path, '{"n":1}'),
  ]);
  expect(all.pop()).toBe(204);
  expect(all.filter((status) => status === 204)).toHaveLength(60);
  expect(all.filter((status) => status === 429)).toHaveLength(20);
  expect(await other.arrivals()).toHaveLength(1);
  expect(await flooded.arrivals()).toHaveLength(20);
});

test("a body of 2 MB is refused, with its length told or not", async () => {
  const { path, arrivals } = await receiving();
  const large = Buffer.alloc(2 * 1024 * 1024, "x");
  const refused = (status: number | Error) => status instanceof Error || status === 413;
  // The connection may be closed before all of it is sent.
  expect(refused(await send(path, large).catch((error: Error) => error))).toBe(true);
  expect(await chunked(path, large)).toMatch(/^HTTP\/1\.1 413 /);
  expect(await arrivals()).toEqual([]);
});

test("a body that comes slowly is kept once it is whole, and holds up nobody", async () => {
  const { path, arrivals } = await receiving();
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 12\r\n\r\n{"slow"`);
  expect(await send(path, '{"fast":1}')).toBe(204);
  expect(await arrivals()).toHaveLength(1);
  socket.write(":tru}");
  const [head] = (await once(socket, "data")) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 204 /);
  socket.destroy();
  expect(await arrivals()).toHaveLength(2);
});

test("guessed tokens find nothing, and no token is in the log", async () => {
  const { path: own } = await receiving();
  const guesses = Array.from({ length: 100 }, (_, n) => `${own.slice(0, -3)}${100 + n}`);
  const statuses = await Promise.all(guesses.map((guess) => send(guess)));
  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(await send(own)).toBe(204);
  const log = path.join(process.env["E2E_FOLDER"] ?? "", "logs", "dashboard.log");
  const logged = () => readFileSync(log, "utf8");
  await expect.poll(logged).toContain('"/in/…"');
  expect(logged()).not.toContain(own.slice("/in/".length, -3));
});

test("a message needs no session, origin or type, and gets no page", async () => {
  const { path, arrivals } = await receiving();
  const page = await fetch(base + path);
  expect(page.status).toBe(204);
  expect(await page.text()).toBe("");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const forged = { origin: "https://elsewhere.example", "content-type": "text/html" };
  expect(await send(path, "<script>alert(1)</script>", forged)).toBe(204);
  expect((await arrivals()).map(({ method }) => method)).toEqual(["POST", "GET"]);
  expect((await fetch(base + path, { method: "OPTIONS" })).status).toBe(405);
});

/** Sends a body without its length; gives the head of the answer. */
async function chunked(path: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const answered = once(socket, "data");
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  socket.write(`${body.length.toString(16)}\r\n`);
  socket.write(body);
  socket.write("\r\n0\r\n\r\n");
  const [head] = (await answered) as [Buffer];
  socket.destroy();
  return head.toString();
}
