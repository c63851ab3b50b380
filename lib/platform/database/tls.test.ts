import { createTestAuthority } from "@/lib/tools/certificates";
import { freePort } from "@/e2e/installation/free-port";
import { EnvironmentError, parseEnv } from "@/lib/platform/env/env";
import { sql } from "kysely";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { openDatabase } from "./open";
import {
  startPostgres,
  type PostgresServer,
} from "@/lib/platform/database/testing/postgres-server";

/** An address of this machine that is none of those which need no TLS. */
const offLoopback = "0.0.0.0";

const authority = createTestAuthority();
const folder = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
const caFile = path.join(folder, "ca.pem");
const otherCaFile = path.join(folder, "other.pem");

let right: PostgresServer & { port: number };
let wrongName: PostgresServer & { port: number };

beforeAll(async () => {
  writeFileSync(caFile, authority.ca);
  writeFileSync(otherCaFile, createTestAuthority().ca);
  const start = async (names: string[]) => {
    const port = await freePort();
    return { ...(await startPostgres({ port, ...authority.issue({ names }) })), port };
  };
  right = await start([offLoopback]);
  // What the driver would have taken for right, whichever address was called.
  wrongName = await start(["localhost"]);
});
afterAll(async () => {
  await right.stop();
  await wrongName.stop();
});
afterEach(() => vi.unstubAllEnvs());

async function isEncrypted(port: number, env: Record<string, string>): Promise<boolean> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const db = openDatabase(`postgres://gancho@${offLoopback}:${port}/postgres`);
  try {
    const { rows } = await sql<{ ssl: boolean }>`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    return rows[0]?.ssl ?? false;
  } finally {
    await db.destroy();
  }
}

it("calls a database on another machine over TLS, and takes the certificate that DATABASE_CA_FILE vouches for", async () => {
  expect(await isEncrypted(right.port, { DATABASE_CA_FILE: caFile })).toBe(true);
});

it.each([
  ["nobody vouches for", () => right.port, {}],
  ["another authority vouches for", () => right.port, { DATABASE_CA_FILE: otherCaFile }],
  ["is for another host", () => wrongName.port, { DATABASE_CA_FILE: caFile }],
  [
    "nobody vouches for, whatever the driver's own variable says",
    () => right.port,
    { PGSSLMODE: "no-verify" },
  ],
])(
  "refuses a certificate that %s (threat: somebody between Gancho and its database)",
  async (_, port, env) => {
    await expect(isEncrypted(port(), env)).rejects.toThrow();
  },
);

it("connects without TLS only where that is set explicitly", async () => {
  expect(await isEncrypted(right.port, { DATABASE_TLS: "off" })).toBe(false);
});

const set = (more: Record<string, string>) => ({
  AUTH_SECRET: "0123456789abcdefghijklmnopqrstuvwxyz",
  ENCRYPTION_KEYS: `k:${Buffer.alloc(32, "0123456789").toString("base64")}`,
  ...more,
});

it.each([
  [
    "sslmode=disable",
    { DATABASE_URL: "postgres://db.example/g?sslmode=disable" },
    "DATABASE_URL has sslmode in it",
  ],
  [
    "sslmode=no-verify",
    { DATABASE_URL: "postgres://db.example/g?sslmode=no-verify" },
    "DATABASE_URL has sslmode in it",
  ],
  ["ssl=0", { DATABASE_URL: "postgres://db.example/g?ssl=0" }, "DATABASE_URL has ssl in it"],
  [
    "another host behind this machine's",
    { DATABASE_URL: "postgres://127.0.0.1/g?host=db.example&sslmode=prefer" },
    "DATABASE_URL has sslmode in it",
  ],
  ["a word that is none", { DATABASE_TLS: "no" }, "DATABASE_TLS is neither verify nor off"],
  ["a file that is not there", { DATABASE_CA_FILE: "/nowhere" }, "DATABASE_CA_FILE is not there"],
  [
    "a file that would not be used",
    { DATABASE_URL: "postgres://db.example/g", DATABASE_TLS: "off", DATABASE_CA_FILE: "/" },
    "DATABASE_CA_FILE is set, and TLS is off",
  ],
])("starts with nothing that weakens it in silence: %s", (_, given, problem) => {
  const parse = () => parseEnv(set(given), { mode: "demo" });
  expect(parse).toThrow(EnvironmentError);
  expect(parse).toThrow(problem);
});
