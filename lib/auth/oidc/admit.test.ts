import type { Db } from "@/lib/db/open";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findSession } from "../sessions";
import { databaseWithPeople } from "../testing/database-with-people";
import { admit, type Arrival } from "./admit";
import { unlink } from "./unlink";

let db: Db;
beforeEach(async () => {
  db = await databaseWithPeople();
});
afterEach(() => db.destroy());

const origin = { clientAddress: "192.0.2.7", userAgent: null };

function arrive(
  subject: string,
  verifiedEmail: string | null,
  {
    staffRole,
    issuer = "https://id.example",
  }: { staffRole?: Arrival["staffRole"]; issuer?: string } = {},
) {
  return admit(db, { identity: { issuer, subject, verifiedEmail }, staffRole, origin });
}

async function staffRoleOf(id: string) {
  const query = db.selectFrom("users").select("staff_role").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).staff_role;
}

it("starts the session of the person who has the address, with or without a password here", async () => {
  for (const person of ["ana", "sso"]) {
    const admitted = await arrive(`at-provider-${person}`, `${person}@aurora.example`);
    if (admitted.outcome !== "signed_in") throw new Error(admitted.reason);
    expect(await findSession(db, admitted.sessionId)).toMatchObject({ userId: person });
  }
});

it("remembers the account: it stays the person's when its address changes", async () => {
  await arrive("a-1", "ana@aurora.example");
  expect(await arrive("a-1", "ana.silva@aurora.example")).toMatchObject({ userId: "ana" });
  // Also to an address that is somebody else's here.
  expect(await arrive("a-1", "sso@aurora.example")).toMatchObject({ userId: "ana" });
});

it("lets no other account have the address (threat: an address given to somebody else at the provider)", async () => {
  await arrive("a-1", "ana@aurora.example");
  expect(await arrive("a-2", "ana@aurora.example")).toEqual({
    outcome: "refused",
    reason: "other_account",
    userId: "ana",
  });
  expect(await arrive("a-1", "ana@aurora.example")).toMatchObject({ outcome: "signed_in" });
});

it("lets one of two accounts have the address when both come first at once", async () => {
  const ends = await Promise.all(
    Array.from({ length: 8 }, (_, n) => arrive(`a-${n % 2}`, "ana@aurora.example")),
  );
  const links = await db.selectFrom("identities").selectAll().execute();
  expect(links).toHaveLength(1);
  expect(ends.filter((end) => end.outcome === "signed_in")).toHaveLength(4);
});

it("takes another account once the first is forgotten, and signs that one out", async () => {
  const before = await arrive("a-1", "ana@aurora.example");
  if (before.outcome !== "signed_in") throw new Error(before.reason);
  expect(await unlink(db, "nobody@aurora.example")).toBe(false);
  expect(await unlink(db, "ana@aurora.example")).toBe(true);
  expect(await findSession(db, before.sessionId)).toBeNull();
  expect(await arrive("a-2", "ana@aurora.example")).toMatchObject({ outcome: "signed_in" });
  expect(await arrive("a-1", "ana@aurora.example")).toMatchObject({ reason: "other_account" });
});

it("takes the same sub at another issuer for another account", async () => {
  await arrive("a-1", "ana@aurora.example");
  const elsewhere = { issuer: "https://other.example" };
  expect(await arrive("a-1", "sso@aurora.example", elsewhere)).toMatchObject({ userId: "sso" });
});

it.each([
  ["nobody invited", "x-1", "nobody@aurora.example", "not_invited"],
  ["a disabled person", "d-1", "dora@aurora.example", "not_invited"],
  ["an address that is not verified", "a-1", null, "email_not_verified"],
])("lets %s not in, and makes no account and no link", async (_who, subject, email, reason) => {
  expect(await arrive(subject, email)).toMatchObject({ outcome: "refused", reason });
  expect(await db.selectFrom("users").select("id").execute()).toHaveLength(3);
  for (const table of ["identities", "sessions"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
});

it("lets a person who is disabled later not in, linked or not", async () => {
  await arrive("a-1", "ana@aurora.example");
  await db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", "ana").execute();
  expect(await arrive("a-1", "ana@aurora.example")).toMatchObject({ reason: "not_invited" });
});

it("gives and takes the staff role as the claim says", async () => {
  const given = await arrive("a-1", "ana@aurora.example", { staffRole: "operator" });
  expect(given).toMatchObject({ staffRole: { before: null, after: "operator" } });
  expect(await staffRoleOf("ana")).toBe("operator");
  const same = await arrive("a-1", "ana@aurora.example", { staffRole: "operator" });
  expect(same).toMatchObject({ staffRole: null });
  await arrive("a-1", "ana@aurora.example", { staffRole: null });
  expect(await staffRoleOf("ana")).toBeNull();
});

it("leaves the staff role alone where no claim decides", async () => {
  await db.updateTable("users").set({ staff_role: "support" }).where("id", "=", "ana").execute();
  await arrive("a-1", "ana@aurora.example");
  expect(await staffRoleOf("ana")).toBe("support");
});

it("gives no role to an account that is not let in (threat: a claim without the person)", async () => {
  await arrive("a-1", "ana@aurora.example");
  await arrive("a-2", "ana@aurora.example", { staffRole: "operator" });
  expect(await staffRoleOf("ana")).toBeNull();
});
