import { createTestAuthority } from "@/lib/tools/certificates";
import { freePort } from "@/e2e/installation/free-port";
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
  // The driver would have accepted this one for any address.
  wrongName = await start(["localhost"]);
});
afterAll(async () => {
  await right.stop();
  await wrongName.stop();
});
afterEach(() => vi.unstubAllEnvs());

async function isEncrypted(port: number, asked = ""): Promise<boolean> {
  const db = openDatabase(`postgres://gancho@${offLoopback}:${port}/postgres${asked}`);
  try {
    const { rows } = await sql<{ ssl: boolean }>`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    return rows[0]?.ssl ?? false;
  } finally {
    await db.destroy();
  }
}

it("calls a database on another machine over TLS, and accepts a certificate of the authority in sslrootcert", async () => {
  expect(await isEncrypted(right.port, `?sslrootcert=${caFile}`)).toBe(true);
  expect(await isEncrypted(right.port, `?sslmode=verify-full&sslrootcert=${caFile}`)).toBe(true);
});

it.each([
  ["is of an unknown authority", () => right.port, ""],
  ["is of an authority that Node does not trust", () => right.port, "?sslrootcert=system"],
  ["is of another authority", () => right.port, `?sslrootcert=${otherCaFile}`],
  ["is for another host", () => wrongName.port, `?sslrootcert=${caFile}`],
])(
  "refuses a certificate that %s (threat: somebody between Gancho and its database)",
  async (_, port, asked) => {
    vi.stubEnv("PGSSLMODE", "no-verify");
    await expect(isEncrypted(port(), asked)).rejects.toThrow();
  },
);

it("connects without TLS only where that is set explicitly", async () => {
  expect(await isEncrypted(right.port, "?sslmode=disable")).toBe(false);
});
