import { freePort } from "@/e2e/installation/free-port";
import { newKeys } from "@/lib/platform/database/testing/configure";
import { insertWith } from "@/lib/platform/database/testing/rows";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { runNode } from "@/lib/cli/testing/run-gancho";
import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parseEnv } from "@/lib/platform/env/env";
import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { prepareDatabase } from "./prepare-database";
import { fromSource } from "./programs.mjs";
import { root } from "./root";

/** Runs a program of the project to its end; gives what it complained of. */
async function run(name: "demo" | "start", args: string[], set: Record<string, string>) {
  const program =
    name === "start" ? ["--import", "tsx", "lib/cli/start.ts"] : fromSource("lib/cli/demo.ts");
  const env = { GANCHO_DATA_DIR: newFolder(), ...set };
  const { code, err } = await runNode([...program, ...args], env);
  return { code, lines: err.trim().split("\n") };
}

const unit = readFileSync(path.join(root, "deploy/gancho.service"), "utf8");
/** The exit code after which systemd does not start it again. */
const isForGood = Number(/^RestartPreventExitStatus=(\d+)$/m.exec(unit)?.[1]);

it("start: names every missing variable, one line each, and is not started again by systemd (threat: a service that starts for ever)", async () => {
  const { code, lines } = await run("start", [], {});
  expect(code).toBe(isForGood);
  expect(lines.map((line) => line.split(" ").slice(0, 6).join(" "))).toEqual([
    "Gancho cannot start: GANCHO_URL is missing:",
    "Gancho cannot start: DATABASE_URL is missing:",
    "Gancho cannot start: AUTH_SECRET is missing:",
    "Gancho cannot start: ENCRYPTION_KEYS is missing:",
    "Gancho cannot start: PARTNER_API_ENVIRONMENTS is missing:",
  ]);
});

it("start: is not started again with keys that do not open the database", async () => {
  const DATABASE_URL = `file:${path.join(newFolder(), "gancho.db")}`;
  const env = { ...newKeys(), PORT: String(await freePort()), DATABASE_URL };
  const db = await prepareDatabase(parseEnv(env, { mode: "development" }));
  const sealed = { id: "a", partner_id: "aurora", wrapping_key_id: "k0", wrapped: "x" };
  await insertWith(db, "data_keys", [{ ...sealed, created_at: 1 }]);
  await db.destroy();
  const { code, lines } = await run("start", ["--dev"], env);
  expect({ code, lines }).toEqual({
    code: isForGood,
    lines: [expect.stringContaining("ENCRYPTION_KEYS lacks the key k0") as string],
  });
});

it.each([
  ["start", ["--port", "4000"], "Gancho cannot start: --port is not known here: give --dev"],
  ["demo", ["--prod"], "The demo cannot run: --prod is not known here: give --dev"],
] as const)("%s: refuses what it does not know: %j", async (name, args, line) => {
  const { code, lines } = await run(name, [...args], {});
  expect({ code, lines }).toEqual({ code: 2, lines: [expect.stringContaining(line)] });
});

it.runIf(isThorough)("demo: refuses a production environment", async () => {
  expect(await run("demo", [], { NODE_ENV: "production" })).toEqual({
    code: 1,
    lines: [expect.stringContaining("The demo cannot run: NODE_ENV is production")],
  });
});

it("demo: says before building that the sandbox's port is taken", async () => {
  const port = String(await listenHere(createServer()));
  const set = { PORT: String(await freePort()), SANDBOX_PORT: port };
  const { code, lines } = await run("demo", [], set);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining(`port ${port} is taken`)]);
  expect(lines[0]).toContain("set SANDBOX_PORT to another");
});

it("gancho: every command can be loaded outside Next (threat: a recovery command that fails when it is needed)", async () => {
  const { code, err } = await runNode(fromSource("lib/cli/testing/load-commands-program.ts"));
  expect({ code, err }).toEqual({ code: 0, err: "loaded" });
});

it("gancho: says what to do where nothing has been compiled", async () => {
  const folder = newFolder();
  mkdirSync(path.join(folder, "deploy"));
  const program = path.join(folder, "deploy/gancho");
  copyFileSync(path.join(root, "deploy/gancho"), program);
  const failure = promisify(execFile)(program, ["start"]);
  await expect(failure).rejects.toMatchObject({
    code: 1,
    stderr: "Gancho cannot start: there is no finished build: run npm run build first\n",
  });
});

it.runIf(isThorough)("start: says in one line that .env cannot be read", async () => {
  const folder = newFolder();
  for (const name of ["lib", "deploy", "package.json", "tsconfig.json"])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  symlinkSync("/nowhere/gancho.env", path.join(folder, ".env"));
  const args = ["--import", "tsx", path.join(folder, "lib/cli/start.ts")];
  const failure = promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env: { NODE_ENV: "production", PATH: process.env["PATH"] },
  });
  await expect(failure).rejects.toMatchObject({
    code: isForGood,
    stderr: expect.stringMatching(
      /^Gancho cannot start: .*\/.env cannot be read \(ENOENT\)/,
    ) as string,
  });
});
