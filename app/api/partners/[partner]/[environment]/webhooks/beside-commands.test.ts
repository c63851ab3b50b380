import { fromSource } from "@/lib/cli/programs.mjs";
import { root } from "@/lib/cli/root";
import { startGancho } from "@/lib/cli/testing/run-gancho";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { held, history, inWorld, partner } from "@/lib/webhooks/testing/in-world";
import Libsql from "libsql";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { GET, POST } from "./route";

/* The embedded database is one file: commands are other programs that read and write it while a dashboard serves. */
process.env["GANCHO_CHANGE_LIMIT"] = "100000";
inWorld();

const folder = newFolder();
let origin: string;
beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const { id, environment } = partner;
    const context = { params: Promise.resolve({ partner: id, environment }) };
    const init = { method: request.method ?? "GET", headers: request.headers as HeadersInit };
    const answer =
      request.method === "POST"
        ? await POST(new Request(origin, { ...init, body: await text(request) }), context)
        : await GET(new Request(origin, init), context);
    response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text());
  });
  origin = `http://localhost:${await listenHere(server)}`;
  process.env["GANCHO_URL"] = origin;
});

type Answer = { status: number; body: Record<string, unknown>; ms: number };

/** Refuses any answer but one that is right, and a 503 that says when to come back. */
async function ask(init: RequestInit = {}): Promise<Answer> {
  const began = performance.now();
  const answer = await fetch(origin, init);
  const body = (await answer.json()) as Answer["body"];
  const ms = performance.now() - began;
  expect([200, 503], JSON.stringify(body)).toContain(answer.status);
  if (answer.status === 503)
    expect([body["code"], answer.headers.get("retry-after")]).toEqual([
      "database_unavailable",
      "5",
    ]);
  return { status: answer.status, body, ms };
}

/** `read`: the answer that it is based on. */
async function save(url: string, read: Answer): Promise<Answer> {
  const { revision } = read.body;
  const authorization = { action: "replace", value: "Bearer x" };
  return ask({
    method: "POST",
    headers: { origin, "x-requested-by": "gancho", "content-type": "application/json" },
    body: JSON.stringify({ type: "pix_in", url, revision, authorization }),
  });
}

const databaseFile = () => (process.env["DATABASE_URL"] ?? "").replace(/^file:/, "");

const variables = (): Record<string, string> =>
  Object.fromEntries(
    [
      "DATABASE_URL",
      "GANCHO_DATA_DIR",
      "GANCHO_URL",
      "AUTH_SECRET",
      "ENCRYPTION_KEYS",
      "PARTNER_API_ENVIRONMENTS",
    ].map((name) => [name, process.env[name] ?? ""]),
  );

function partnersFile(count: number): string {
  const file = `${folder}/partners.jsonl`;
  const lines = Array.from({ length: count }, (_, at) => {
    const id = `beside-${at}-${randomBytes(4).toString("hex")}`;
    const credentials = { client_id: id, client_secret: randomBytes(20).toString("hex") };
    return JSON.stringify({ id, name: id, connections: { [partner.environment]: credentials } });
  });
  writeFileSync(file, lines.join("\n"));
  return file;
}

async function importUntilKilled(file: string): Promise<void> {
  const program = [...fromSource("lib/cli/gancho.ts"), "import-partners", file, "--yes"];
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { NODE_ENV: "test", PATH: process.env["PATH"], ...variables() },
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const part of child.stdout) if (String(part).includes("line 5,")) break;
  child.kill("SIGKILL");
  await once(child, "close");
}

/**
 * Nothing wrong was found. 3: of a history that was new as its end was read, or whose import was killed before it was
 * noted outside the database, no file says where it ended.
 */
const right = expect.toSatisfy((code) => code === 0 || code === 3);

it.runIf(isThorough)(
  "beside backup, verify-history and an import that is killed and repeated, every request is answered in time, and no acknowledged save is lost",
  async () => {
    const commands = async () => {
      const file = partnersFile(60);
      const backup = `${folder}/backup.db`;
      const [first] = await Promise.all([
        startGancho(["backup", backup], variables()),
        importUntilKilled(file),
      ]);
      return [
        first,
        ...(await Promise.all([
          startGancho(["import-partners", file, "--yes"], variables()),
          startGancho(["verify-history"], variables()),
          startGancho(["backup", `${backup}.2`], variables()),
          startGancho(["verify-history", "--anchors", `${backup}.anchors`], {
            ...variables(),
            DATABASE_URL: `file:${backup}`,
          }),
        ])),
      ];
    };
    let isOver = false;
    const running = commands().finally(() => (isOver = true));
    const acknowledged: string[] = [];
    const times: number[] = [];
    for (let at = 0; !isOver; at += 1) {
      // As fast as it can, it would leave the commands no processor.
      await pause(50);
      const url = `https://hooks.example.com/${at}`;
      const read = await ask();
      times.push(read.ms);
      if (read.status !== 200) continue;
      const { status, body, ms } = await save(url, read);
      times.push(ms);
      if (status !== 200) continue;
      expect(body).toMatchObject({ outcome: "saved" });
      acknowledged.push(url);
      expect(await held()).toContain(url);
    }
    const [backup, again, verified, secondBackup, ofBackup] = await running;
    for (const ran of [backup, again, secondBackup])
      expect(ran).toMatchObject({ code: 0, err: "" });
    for (const ran of [verified, ofBackup]) expect(ran).toMatchObject({ code: right, err: "" });
    expect(acknowledged.length).toBeGreaterThan(5);
    expect(Math.max(...times)).toBeLessThan(10_000);
    const shown = JSON.stringify(await history("save_shown"));
    for (const url of acknowledged) expect(shown).toContain(`${url}"`);
    expect(await startGancho(["verify-history"], variables())).toMatchObject({ code: right });
  },
  600_000,
);

it("while another program keeps the lock, a save is answered with 503 in time and nothing is sent, and the next one works", async () => {
  const url = "https://hooks.example.com/pix";
  const read = await ask();
  const other = new Libsql(databaseFile());
  other.exec("begin immediate");
  const { status, body, ms } = await save(url, read);
  other.exec("rollback");
  other.close();
  expect([status, body["applied"]]).toEqual([503, "no"]);
  expect(ms).toBeLessThan(10_000);
  expect(await held()).toEqual([]);
  expect((await save(url, read)).body).toMatchObject({ outcome: "saved" });
});
