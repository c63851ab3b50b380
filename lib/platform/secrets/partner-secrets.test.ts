import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dataKeyFor } from "./data-key";
import { decryptFor, encryptFor } from "./field";
import { keyringOf } from "./envelope";
import { fingerprint, partnerMac, shownFingerprints } from "./partner-mac";
import { Secret } from "@/lib/platform/runtime/secret";

const first = { id: "k1", key: new Secret(randomBytes(32).toString("base64")) };
const identity = { table: "connections", row: "c1", column: "secret" };

vi.mock(import("./envelope"), async (original) => {
  const actual = await original();
  return { ...actual, keyring: () => actual.keyringOf([first]) };
});

let db: Db;
let url: string;

beforeEach(async () => {
  url = await migratedDatabaseUrl();
  db = openDatabase(url);
  const partners = ["aurora", "mercado"].map((id) => ({ id, name: id, created_at: 1 }));
  await db.insertInto("partners").values(partners).execute();
});

afterEach(() => db.destroy());

it("stores a secret that the database alone does not reveal, and opens it again in another process", async () => {
  const ciphertext = await encryptFor(db, "aurora", identity, new Secret("s3cr3t"));
  expect(ciphertext).not.toContain("s3cr3t");
  const keys = await db.selectFrom("data_keys").selectAll().execute();
  expect(keys).toEqual([expect.objectContaining({ partner_id: "aurora", wrapping_key_id: "k1" })]);
  const other = openDatabase(url);
  expect((await decryptFor(other, "aurora", identity, ciphertext)).reveal()).toBe("s3cr3t");
  await other.destroy();
});

it("opens a secret only in its row, and only for its partner (threat: moved ciphertexts)", async () => {
  const ciphertext = await encryptFor(db, "aurora", identity, new Secret("s3cr3t"));
  const elsewhere = { ...identity, row: "c2" };
  await expect(decryptFor(db, "aurora", elsewhere, ciphertext)).rejects.toThrow("does not open");
  await expect(decryptFor(db, "mercado", identity, ciphertext)).rejects.toThrow("another key");
});

it("makes one key per partner, however many concurrent calls there are", async () => {
  const ciphertexts = await Promise.all(
    Array.from({ length: 10 }, (_, n) => encryptFor(db, "aurora", identity, new Secret(String(n)))),
  );
  expect(await db.selectFrom("data_keys").selectAll().execute()).toHaveLength(1);
  const opened = await Promise.all(
    ciphertexts.map((text) => decryptFor(db, "aurora", identity, text)),
  );
  expect(opened.map((secret) => secret.reveal())).toEqual(
    Array.from({ length: 10 }, (_, n) => String(n)),
  );
});

it("forgets a key whose row was rolled back (threat: secrets sealed under a key that nobody has)", async () => {
  const keyring = keyringOf([first]);
  const rolledBack = db.transaction().execute(async (trx) => {
    await dataKeyFor(trx, keyring, "aurora");
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  const key = await dataKeyFor(db, keyring, "aurora");
  const rows = await db.selectFrom("data_keys").select("id").execute();
  expect(rows).toEqual([{ id: key.id }]);
});

it("gives equal values equal fingerprints within a partner, and reveals nothing across partners", async () => {
  const value = () => new Secret("Bearer abc");
  const own = await fingerprint(db, "aurora", value());
  expect(own).toMatch(/^[0-9a-f]{64}$/);
  expect(await fingerprint(db, "aurora", value())).toBe(own);
  expect(await fingerprint(db, "aurora", new Secret("Bearer abd"))).not.toBe(own);
  expect(await fingerprint(db, "mercado", value())).not.toBe(own);
});

it("shows people another fingerprint in each environment (threat: guesses compared across them)", async () => {
  const show = await shownFingerprints(db, "aurora");
  const value = await fingerprint(db, "aurora", new Secret("Bearer abc"));
  expect(show("production", value)).toMatch(/^[0-9a-f]{8}$/);
  expect(show("production", value)).toBe(show("production", value));
  const all = ["production", "sandbox", null].map((environment) => show(environment, value));
  expect(new Set([...all, value.slice(0, 8)]).size).toBe(4);
});

it("keys each use by itself (threat: a digest of one use passing for another)", async () => {
  const uses = ["fingerprint", "shown fingerprint", "revision", "history", "cursor"] as const;
  const macs = await Promise.all(uses.map((use) => partnerMac(db, "aurora", use, "text")));
  expect(new Set(macs).size).toBe(uses.length);
});
