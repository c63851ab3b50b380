import { openDatabase, type Db } from "@/lib/platform/database/open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { randomBytes } from "node:crypto";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";

export const password = "velho moinho azul";

// Configuration is parsed once a process.
process.env["AUTH_SECRET"] ??= randomBytes(32).toString("base64");
process.env["ENCRYPTION_KEYS"] ??= `test:${randomBytes(32).toString("base64")}`;

/** Hashing is slow on purpose; all databases of a run share one. */
let passwordHash: Promise<string> | undefined;

/** A new database with `ana`, `dora` who is disabled, and `sso`, who has no password. */
export async function databaseWithPeople(): Promise<Db> {
  const db = openDatabase(await migratedDatabaseUrl());
  passwordHash ??= hashPassword(password);
  const person = {
    staff_role: null,
    disabled_at: null,
    created_at: 1,
    password_hash: await passwordHash,
  };
  await db
    .insertInto("users")
    .values([
      { ...person, id: "ana", email: "ana@aurora.example", name: "Ana" },
      { ...person, id: "dora", email: "dora@aurora.example", name: "Dora", disabled_at: 1 },
      { ...person, id: "sso", email: "sso@aurora.example", name: "Sol", password_hash: null },
    ])
    .execute();
  return db;
}
