import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { parseEnv } from "@/lib/platform/env/env";
import { prepareDatabase } from "./prepare-database";
import { programFile } from "./programs.mjs";
import { root } from "./root";

/** Runs a program of the project to its end, in an environment with the given variables alone. */
async function run(name: "demo" | "start", args: string[], set: Record<string, string>) {
  const env = { GANCHO_DATA_DIR: freshFolder(), ...set };
  const child = spawn(process.execPath, [await programFile(name), ...args], {
    cwd: root,
    env: Object.assign({ NODE_ENV: "test" as const, PATH: process.env["PATH"] }, env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stderr.on("data", (part: Buffer) => (printed += part.toString()));
  child.stdout.resume();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, lines: printed.trim().split("\n") };
}

function freshFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "gancho-test-"));
}

async function takenPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: String((server.address() as AddressInfo).port), free: () => server.close() };
}

const complete = {
  AUTH_SECRET: "0123456789abcdefghijklmnopqrstuvwxyz",
  ENCRYPTION_KEYS: `k1:${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}`,
};

const ofProduction = {
  AUTH_SECRET: randomBytes(48).toString("base64"),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  GANCHO_URL: "http://localhost:3000",
  DATABASE_URL: "file:never-opened.db",
  PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:4010",
};

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
  const { port, free } = await takenPort();
  free();
  const env = {
    ...complete,
    PORT: port,
    DATABASE_URL: `file:${path.join(freshFolder(), "gancho.db")}`,
  };
  const db = await prepareDatabase(parseEnv(env, { mode: "development" }));
  await db
    .insertInto("data_keys")
    .values({ id: "a", partner_id: "aurora", wrapping_key_id: "k0", wrapped: "x", created_at: 1 })
    .execute();
  await db.destroy();
  const { code, lines } = await run("start", ["--dev"], env);
  expect({ code, lines }).toEqual({
    code: isForGood,
    lines: [expect.stringContaining("ENCRYPTION_KEYS lacks the key k0") as string],
  });
});

it("start: says in one line that the port is taken", async () => {
  const { port, free } = await takenPort();
  const { code, lines } = await run("start", ["--dev"], { ...complete, PORT: port });
  free();
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [
      `Gancho cannot start: port ${port} is taken: stop the program that uses it, or set PORT to another`,
    ],
  });
});

it("start: says in one line that the database file is unreadable", async () => {
  const { port, free } = await takenPort();
  free();
  const file = path.join(freshFolder(), "gancho.db");
  writeFileSync(file, "this is no database ".repeat(100));
  const env = { ...complete, PORT: port, DATABASE_URL: `file:${file}` };
  const { code, lines } = await run("start", ["--dev"], env);
  expect(code).toBe(1);
  expect(lines).toEqual([
    `Gancho cannot start: the database file:${file} is not a database, or is damaged: restore a backup, or move it away to begin anew`,
  ]);
});

it.each([
  ["a production environment", { NODE_ENV: "production" }, "NODE_ENV is production", 1],
  [
    "a public address",
    { GANCHO_URL: "https://gancho.example.com" },
    "GANCHO_URL is not this machine",
    isForGood,
  ],
  [
    "clients that cannot be read",
    { SANDBOX_CLIENTS: "/nowhere.json" },
    "SANDBOX_CLIENTS /nowhere.json cannot be read",
    1,
  ],
] as const)("demo: refuses %s", async (_what, env, message, exitCode) => {
  const { code, lines } = await run("demo", [], env);
  expect(code).toBe(exitCode);
  expect(lines).toEqual([expect.stringContaining(`The demo cannot run: ${message}`)]);
});

it.each(["PORT", "SANDBOX_PORT"])("demo: says before building that %s is taken", async (name) => {
  const { port, free } = await takenPort();
  const other = await takenPort();
  other.free();
  const ports = { PORT: other.port, SANDBOX_PORT: other.port, [name]: port };
  const { code, lines } = await run("demo", [], ports);
  free();
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining(`port ${port} is taken`)]);
  expect(lines[0]).toContain(`set ${name} to another`);
});

it("gancho: every command can be loaded outside Next (threat: a recovery command that fails when it is needed)", async () => {
  const child = spawn(process.execPath, [await programFile("load-commands")], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  child.stderr.on("data", (part: Buffer) => (printed += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect({ code, printed }).toEqual({ code: 0, printed: "loaded" });
});

/** A copy of what the programs are compiled from, with the same packages. */
function copyOfSources(): string {
  const folder = freshFolder();
  for (const name of ["lib", "e2e/faulty-upstream", "package.json", "tsconfig.json"])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return folder;
}

/** Runs Node in a folder to its end, as `npm run` does. */
async function node(folder: string, args: string[], set: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: Object.assign({ NODE_ENV: "test" as const, PATH: process.env["PATH"] }, set),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => (printed.out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (printed.err += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...printed };
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

it.runIf(isThorough)(
  "runs the code at hand, however it was changed since (threat: a test or command that runs what was compiled before)",
  async () => {
    const folder = copyOfSources();
    const help = () => node(folder, ["lib/cli/run.mjs", "gancho"]);
    expect(await help()).toMatchObject({ code: 0, err: "" });
    edit(path.join(folder, "lib/cli/command-line.ts"), "Usage: npm run gancho", "Changed: gancho");
    expect((await help()).out).toContain("Changed: gancho");
  },
);

it.runIf(isThorough)(
  "npm start: runs what npm run build compiled, says where that is older than the sources, and where there is none",
  async () => {
    const folder = copyOfSources();
    const { port, free } = await takenPort();
    const env = { ...ofProduction, GANCHO_DATA_DIR: folder, PORT: port };
    const start = () => node(folder, ["lib/cli/run.mjs", "start"], env);
    expect(await start()).toEqual({
      code: 1,
      out: "",
      err: "Gancho cannot start: there is no finished build: run npm run build first\n",
    });

    const build = `const { buildPrograms, sourcesDigest } = await import("./lib/cli/programs.mjs");
    await buildPrograms();
    process.stdout.write(sourcesDigest("pages"));`;
    const { out: digest } = await node(folder, ["--input-type=module", "--eval", build]);
    mkdirSync(path.join(folder, ".next"));
    for (const name of ["BUILD_ID", "gancho-sources"])
      writeFileSync(path.join(folder, ".next", name), digest);
    const taken = `Gancho cannot start: port ${port} is taken: stop the program that uses it, or set PORT to another\n`;
    expect(await start()).toEqual({ code: 1, out: "", err: taken });

    edit(path.join(folder, "lib/cli/dashboard-server.ts"), "is taken:", "is in use:");
    const note =
      "Note: the sources have changed since the last npm run build; this starts what was built then.\n";
    expect(await start()).toEqual({ code: 1, out: "", err: note + taken });
    free();

    symlinkSync("/nowhere/gancho.env", path.join(folder, ".env"));
    const { err } = await node(folder, ["lib/cli/run.mjs", "start"], {
      ...env,
      NODE_ENV: "production",
    });
    expect(err).toContain(
      `Gancho cannot start: ${path.join(folder, ".env")} cannot be read (ENOENT)`,
    );
  },
);
