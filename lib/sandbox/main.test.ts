import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { demoClients } from "./clients";
import {
  requestToken,
  basic,
  bearerOf,
  call,
  list,
  register,
  tokenIn,
} from "@/lib/sandbox/testing/call";
import { startProgram } from "@/lib/sandbox/testing/program";
import { fromSource } from "@/lib/cli/programs.mjs";
import { runNode } from "@/lib/cli/testing/run-gancho";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";

const [aurora] = demoClients;

test("registrations that it confirmed survive kill -9, and so do tokens", async () => {
  const settings = { GANCHO_DATA_DIR: newFolder() };
  let program = await startProgram(settings);
  const bearer = await bearerOf(program, aurora.client_id, aurora.client_secret);
  for (const [round, status] of (isThorough ? [201, 200, 200] : [201]).entries()) {
    const url = `https://partner.example/${round}`;
    const answer = await register(program, bearer, { url, authorization: `value ${round}` });
    expect(answer.status).toBe(status);
    expect(await program.stop("SIGKILL")).toMatchObject({ signal: "SIGKILL" });

    program = await startProgram(settings);
    const listed = await list(program, bearer);
    expect(listed.status).toBe(200);
    const stored = { callback_url: url, auth_header: `value ${round}` };
    expect(JSON.parse(listed.body)).toMatchObject({ webhooks: [stored, stored] });
  }
});

test.runIf(isThorough)(
  "after a kill in the middle of a stream of writes, it has the last one that it answered, or the next",
  async () => {
    const settings = { GANCHO_DATA_DIR: newFolder() };
    const program = await startProgram(settings);
    const bearer = await bearerOf(program, aurora.client_id, aurora.client_secret);
    let answered = 0;
    let sent = 0;
    const writing = (async () => {
      for (;;) {
        sent += 1;
        await register(program, bearer, { url: `https://partner.example/${sent}` });
        answered = sent;
        if (answered === 25) void program.stop("SIGKILL");
      }
    })();
    await expect(writing).rejects.toThrow();
    expect(answered).toBeGreaterThanOrEqual(25);

    const again = await startProgram(settings);
    const { webhooks } = listBody.parse(JSON.parse((await list(again, bearer)).body));
    const kept = webhooks.map((webhook) => webhook.callback_url);
    expect(new Set(kept).size, "both types, or neither").toBe(1);
    expect([answered, sent].map((count) => `https://partner.example/${count}`)).toContain(kept[0]);
  },
);

const listBody = z.object({ webhooks: z.array(z.object({ callback_url: z.string() })) });

test.runIf(isThorough).each(["SIGINT", "SIGTERM"] as const)(
  "%s stops it cleanly, even with an idle connection",
  async (signal) => {
    const program = await startProgram({ GANCHO_DATA_DIR: newFolder() });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [response] = await once(
      request(`${program.url}/openapi.json`, { agent }).end(),
      "response",
    );
    await once(response.resume(), "end");
    expect(await program.stop(signal)).toMatchObject({ code: 0, signal: null, err: [] });
  },
);

test.runIf(isThorough)(
  "only the owner has access to what it creates, even with umask 000",
  async () => {
    const folder = join(newFolder(), "data", "deep");
    const program = await startProgram({ GANCHO_DATA_DIR: folder }, "000");
    const bearer = await bearerOf(program, aurora.client_id, aurora.client_secret);
    await register(program, bearer, { url: "https://partner.example" });
    const modes = ["..", ".", "sandbox.db", "sandbox.db-wal", "sandbox.db-shm"].map((name) =>
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(["700", "700", "600", "600", "600"]);
  },
);

const line = z.strictObject({
  level: z.enum(["info", "error"]),
  time: z.iso.datetime(),
  program: z.literal("sandbox"),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  client_id: z.string().optional(),
  address: z.string(),
  reason: z.string().optional(),
  ms: z.number(),
  msg: z.literal("request"),
});

test("the log has one line of JSON for each request, and never a secret, a token or an Authorization value", async () => {
  const program = await startProgram({ GANCHO_DATA_DIR: newFolder() });
  const credentials = basic(aurora.client_id, aurora.client_secret);
  const token = tokenIn(await requestToken(program, credentials));
  const bearer = `Bearer ${token}`;
  const hidden = "hidden-value";
  const url = `https://partner.example/${hidden}`;
  await requestToken(program, basic(hidden, hidden));
  await requestToken(program, `Basic ${hidden}`);
  await requestToken(program, credentials, `{"${hidden}":"${hidden}"}`);
  await register(program, bearer, { url, authorization: hidden });
  await register(program, bearer, { url, authorization: `${hidden} ` });
  await register(program, bearer, { [hidden]: hidden });
  await list(program, bearer);
  await list(program, `Bearer ${hidden}.${hidden}.${hidden}`);
  await call(program, "GET", `/api/v1/webhooks?access_token=${token}&x=${hidden}`, {
    headers: { "X-Forwarded-For": hidden, "User-Agent": hidden, Cookie: hidden },
  });
  await call(program, "DELETE", "/api/v1/webhooks");
  const { out } = await program.stop("SIGTERM");

  const [ready, ...requests] = out;
  expect(ready).toBe(`Sandbox ready at ${program.url}`);
  const entries = requests.map((text) => line.parse(JSON.parse(text)));
  expect(
    entries.map(({ method, status, client_id, reason }) => [method, status, client_id, reason]),
  ).toEqual([
    ["POST", 200, "aurora", undefined],
    ["POST", 401, undefined, "Invalid credentials"],
    ["POST", 401, undefined, "Invalid credentials format"],
    ["POST", 400, "aurora", "Unsupported grant type"],
    ["POST", 201, "aurora", undefined],
    ["POST", 400, "aurora", expect.stringContaining("authorization")],
    ["POST", 400, "aurora", expect.stringContaining("url")],
    ["GET", 200, "aurora", undefined],
    ["GET", 401, undefined, "Invalid or expired token"],
    ["GET", 401, undefined, "Missing credentials"],
    ["DELETE", 405, undefined, "Method not allowed"],
  ]);
  const all = out.join("\n");
  for (const secret of [hidden, token, aurora.client_secret, credentials.split(" ")[1] ?? ""]) {
    expect(all).not.toContain(secret);
  }
});

async function complaints(settings: Record<string, string>): Promise<string> {
  const env = { NODE_ENV: "production", SANDBOX_PORT: "0", ...settings };
  const { code, out, err } = await runNode(fromSource("lib/cli/sandbox.ts"), env);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  return err;
}

test.runIf(isThorough)(
  "where its port is taken, says so in one line and ends with an error",
  async () => {
    const port = String(await listenHere(createServer()));
    const settings = { GANCHO_DATA_DIR: newFolder(), SANDBOX_PORT: port };
    expect(await complaints(settings)).toBe(
      `Sandbox cannot start: port ${port} of 127.0.0.1 is taken: stop the program that uses it, or set SANDBOX_PORT to another\n`,
    );
  },
);

// Root may write anywhere.
test.skipIf(process.getuid?.() === 0)(
  "where its folder is not writable, says so in one line and ends with an error",
  async () => {
    const folder = join(newFolder(), "data");
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expect(await complaints({ GANCHO_DATA_DIR: folder })).toMatch(
      /^Sandbox cannot start: the database \S+ cannot be written: check the owner.*\n$/,
    );
  },
);
