import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "./root";

/** Runs a program of the project to its end, with nothing in its environment but what is given. */
async function run(file: string, args: string[], set: Record<string, string>) {
  const env = { GANCHO_DATA_DIR: freshFolder(), ...set };
  const flags = file === "demo.ts" ? ["--conditions=react-server"] : [];
  const child = spawn(process.execPath, [...flags, "--import", "tsx", `lib/cli/${file}`, ...args], {
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

it("start: names every missing variable, one line each, and exits with 1", async () => {
  const { code, lines } = await run("start.ts", [], {});
  expect(code).toBe(1);
  expect(lines.map((line) => line.split(" ").slice(0, 6).join(" "))).toEqual([
    "Gancho cannot start: GANCHO_URL is missing:",
    "Gancho cannot start: DATABASE_URL is missing:",
    "Gancho cannot start: AUTH_SECRET is missing:",
    "Gancho cannot start: ENCRYPTION_KEYS is missing:",
    "Gancho cannot start: PARTNER_API_ENVIRONMENTS is missing:",
  ]);
});

it("start: says in one line that the port is taken", async () => {
  const { port, free } = await takenPort();
  const { code, lines } = await run("start.ts", ["--dev"], { ...complete, PORT: port });
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
  const { code, lines } = await run("start.ts", ["--dev"], env);
  expect(code).toBe(1);
  expect(lines).toEqual([
    `Gancho cannot start: the database file:${file} is not a database, or is damaged: restore a backup, or move it away to begin anew`,
  ]);
});

it.each([
  ["a production environment", { NODE_ENV: "production" }, "NODE_ENV is production"],
  [
    "a public address",
    { GANCHO_URL: "https://gancho.example.com" },
    "GANCHO_URL is not this machine",
  ],
  [
    "clients that cannot be read",
    { SANDBOX_CLIENTS: "/nowhere.json" },
    "SANDBOX_CLIENTS /nowhere.json cannot be read",
  ],
])("demo: refuses %s, and exits with 1", async (_what, env, message) => {
  const { code, lines } = await run("demo.ts", [], env);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining(`The demo cannot run: ${message}`)]);
});

it.each(["PORT", "SANDBOX_PORT"])("demo: says before building that %s is taken", async (name) => {
  const { port, free } = await takenPort();
  const other = await takenPort();
  other.free();
  const ports = { PORT: other.port, SANDBOX_PORT: other.port, [name]: port };
  const { code, lines } = await run("demo.ts", [], ports);
  free();
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining(`port ${port} is taken`)]);
  expect(lines[0]).toContain(`set ${name} to another`);
});

it("gancho: every command can be loaded outside Next (threat: a way back in that fails when it is needed)", async () => {
  const load = `const { commands } = await import("./lib/cli/commands/all.ts");
    for (const { load } of Object.values(commands)) await load();
    process.stderr.write("loaded");`;
  const flags = ["--conditions=react-server", "--import", "tsx", "--input-type=module"];
  const child = spawn(process.execPath, [...flags, "--eval", load], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  child.stderr.on("data", (part: Buffer) => (printed += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect({ code, printed }).toEqual({ code: 0, printed: "loaded" });
});
