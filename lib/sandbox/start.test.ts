import { once } from "node:events";
import { existsSync } from "node:fs";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import contract from "@/lib/platform/payment-service/contract/openapi.json";
import { startSandbox, StartupError } from "./start";
import { bearerOf, call, list } from "@/lib/sandbox/testing/call";
import { client, startForTest } from "@/lib/sandbox/testing/start-for-test";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";

test("closing frees the port and the file, and may be called twice", async () => {
  const databaseFile = join(newFolder(), "sandbox.db");
  const first = await startSandbox({ databaseFile });
  await Promise.all([first.close(), first.close()]);
  const second = await startSandbox({ databaseFile, port: first.port });
  expect(second.port).toBe(first.port);
  await second.close();
});

test("closing does not wait forever for a request that does not end", async () => {
  const sandbox = await startSandbox();
  const socket = connect(sandbox.port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write("POST /api/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n");
  await sandbox.close();
  if (!socket.closed) await once(socket, "close");
  expect(socket.closed).toBe(true);
});

test("a taken port does not leave the database open", async () => {
  const first = await startForTest();
  const databaseFile = join(newFolder(), "sandbox.db");
  await expect(startSandbox({ port: first.port, databaseFile })).rejects.toThrow(StartupError);
  expect(existsSync(databaseFile)).toBe(true);
  const second = await startForTest({ databaseFile });
  expect(second.port).not.toBe(first.port);
});

test("a failing database is answered with 500 in JSON, and nothing is registered", async () => {
  const databaseFile = join(newFolder(), "sandbox.db");
  const sandbox = await startForTest({ databaseFile });
  const bearer = await bearerOf(sandbox, client.client_id, client.client_secret);
  const saboteur = new Database(databaseFile);
  saboteur.exec(
    "CREATE TRIGGER fault BEFORE INSERT ON webhook WHEN new.type = 'pix_out' BEGIN SELECT RAISE(ABORT, 'fault'); END",
  );
  saboteur.close();
  const answer = await fetch(`${sandbox.url}/api/v1/webhooks`, {
    method: "POST",
    headers: { Authorization: bearer, "Content-Type": "application/json" },
    body: '{"url":"https://partner.example"}',
  });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({ error: "Internal error" });
  expect((await list(sandbox, bearer)).status).toBe(404);
});

/** Without CONNECT, which has no path. */
const methodsWithout = (...known: string[]) =>
  METHODS.filter((method) => method !== "CONNECT" && !known.includes(method));

test.each([
  ["/api/oauth/token", "POST"],
  ["/api/v1/webhooks", "GET, HEAD, POST"],
  ["/openapi.json", "GET, HEAD"],
])(
  "a method without an operation at %s gets 405 with the allowed ones: %s",
  async (path, allow) => {
    const sandbox = await startForTest();
    for (const method of methodsWithout(...allow.split(", "))) {
      const answer = await call(sandbox, method, path);
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
    }
  },
);

test.each(["/", "/api/v1/webhooks/", "/api/v1/webhooks/pix_in", "/api/v2/webhooks"])(
  "%s is unknown: 404 in JSON, with another text than an empty list's",
  async (path) => {
    const sandbox = await startForTest();
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await call(sandbox, method, path);
      expect(answer.status).toBe(404);
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(JSON.parse(answer.body)).toEqual({ error: "Not found" });
    }
  },
);

test("the contract's document is served without credentials", async () => {
  const sandbox = await startForTest();
  const answer = await call(sandbox, "GET", "/openapi.json");
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual(contract);
});
