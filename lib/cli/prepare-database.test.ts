import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { addConnection } from "@/lib/partners/server/connection";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { parseEnv, type Env } from "@/lib/platform/env/env";
import { Secret } from "@/lib/platform/runtime/secret";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { setMarker } from "@/lib/cli/demo/data";
import { prepareDatabase } from "./prepare-database";

const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const own = key("k1");

const config = (databaseUrl: string, keys = own): Env =>
  parseEnv(
    {
      GANCHO_URL: "http://localhost:3000",
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: randomBytes(48).toString("base64"),
      ENCRYPTION_KEYS: keys,
      PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:4010",
    },
    { mode: "production" },
  );

function file(content: string): string {
  const name = path.join(newFolder(), "gancho.db");
  writeFileSync(name, content);
  return `file:${name}`;
}

it.each([
  [
    "a file that is no database",
    () => file("no database at all\n".repeat(50)),
    "is not a database",
  ],
  ["a folder", () => `file:${tmpdir()}`, "is a folder"],
  ["a place below a file", () => `${file("")}/gancho.db`, "cannot be created there"],
  [
    "a server that is not there",
    () => "postgres://gancho:hush@127.0.0.1:1/gancho",
    "cannot be reached",
  ],
])("says in one line what is wrong with %s, without its password", async (_what, url, message) => {
  const failure: unknown = await prepareDatabase(config(url())).catch((error: unknown) => error);
  expect(String(failure)).toMatch(/^CliError: the database [^\n]+$/);
  expect(String(failure)).toContain(message);
  expect(String(failure)).not.toContain("hush");
});

it("refuses the demo's database in production (threat: people with a public password)", async () => {
  const env = config(await freshDatabaseUrl());
  const db = await prepareDatabase(env);
  await setMarker(db, "demo");
  await db.destroy();
  await expect(prepareDatabase(env)).rejects.toThrow("DATABASE_URL is the demo's database");
});

/** A database with one partner's secret sealed under k1. */
async function sealedDatabase(): Promise<string> {
  const url = await freshDatabaseUrl();
  vi.stubEnv("AUTH_SECRET", randomBytes(48).toString("base64"));
  vi.stubEnv("ENCRYPTION_KEYS", own);
  const db = await prepareDatabase(config(url));
  await db.insertInto("partners").values({ id: "aurora", name: "A", created_at: 1 }).execute();
  const client = { clientId: "a", clientSecret: new Secret("s") };
  await addConnection(db, { partnerId: "aurora", environment: "live", ...client });
  await db.destroy();
  return url;
}

it("refuses a lack of keys that secrets need, and a key with other bytes under the same id; names their ids, never a key", async () => {
  const url = await sealedDatabase();
  const impostor = key("k1");
  for (const [keys, message] of [
    [key("k2"), "lacks the key k1, which encrypts"],
    [impostor, "another key under the id k1 than the one that encrypts"],
  ] as const) {
    const failure: unknown = await prepareDatabase(config(url, keys)).catch((e: unknown) => e);
    expect(String(failure)).toMatch(/^Misconfigured: ENCRYPTION_KEYS [^\n]+$/);
    expect(String(failure)).toContain(message);
    expect(String(failure)).not.toContain(keys.slice(3, 20));
  }
  const others = key("k2");
  await (await prepareDatabase(config(url, `${others},${own}`))).destroy();
  await (await prepareDatabase(config(url, `${own},${others}`))).destroy();
});

it("accepts any keys while nothing is encrypted, also other ones than at the last start", async () => {
  const url = await freshDatabaseUrl();
  for (const keys of [own, key("k1")]) await (await prepareDatabase(config(url, keys))).destroy();
});
