import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { startSandbox, StartupError } from "./start";
import { bearerOf, list } from "@/lib/sandbox/testing/call";
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

test("closing does not wait for ever for a request that does not end", async () => {
  const sandbox = await startSandbox();
  const socket = connect(sandbox.port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write("POST /api/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n");
  await sandbox.close();
  if (!socket.closed) await once(socket, "close");
  expect(socket.closed).toBe(true);
});

test("a port that is taken is no reason to keep the database open", async () => {
  const first = await startForTest();
  const databaseFile = join(newFolder(), "sandbox.db");
  await expect(startSandbox({ port: first.port, databaseFile })).rejects.toThrow(StartupError);
  expect(existsSync(databaseFile)).toBe(true);
  const second = await startForTest({ databaseFile });
  expect(second.port).not.toBe(first.port);
});

test("a database that fails is an error of the sandbox, in JSON, and nothing is registered", async () => {
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
