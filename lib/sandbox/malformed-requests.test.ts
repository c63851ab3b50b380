import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { basic, bearerOf, list } from "@/lib/sandbox/testing/call";
import { client, startForTest } from "@/lib/sandbox/testing/start-for-test";

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Sends bytes as they are, and reads until the other side ends. */
async function exchange(port: number, request: string): Promise<{ status: number; body: unknown }> {
  const socket = await open(port);
  socket.write(request);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
}

test.each([
  ["what is not HTTP", "hello\r\n\r\n", 400],
  ["no Host", "GET /api/v1/webhooks HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  [
    "a Host that only looks like an address",
    "POST /api/oauth/token HTTP/1.1\r\nHost: 127-0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    400,
  ],
  ["headers over 16 KiB", `GET /x HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`, 431],
  [
    "two lengths of one body (request smuggling)",
    "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
])("%s is refused in JSON", async (_, request, status) => {
  const sandbox = await startForTest();
  const answer = await exchange(sandbox.port, request);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ error: expect.stringMatching(/./) });
});

test("a body that never ends is refused once it is too large", async () => {
  const sandbox = await startForTest();
  const socket = await open(sandbox.port);
  socket.write(
    "POST /api/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n" +
      `Authorization: ${basic(client.client_id, client.client_secret)}\r\n\r\n`,
  );
  socket.write(`4001\r\n${" ".repeat(0x4001)}\r\n`);
  const [first] = await once(socket, "data");
  expect(String(first)).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test("a caller that disconnects in the middle of a body changes nothing", async () => {
  const sandbox = await startForTest();
  const bearer = await bearerOf(sandbox, client.client_id, client.client_secret);
  const socket = await open(sandbox.port);
  socket.write(
    `POST /api/v1/webhooks HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\nAuthorization: ${bearer}\r\n\r\n{"url":"https://a.example"}`,
  );
  socket.destroy();
  await once(socket, "close");
  expect((await list(sandbox, bearer)).status).toBe(404);
});
