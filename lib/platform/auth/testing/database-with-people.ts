import { openDatabase, type Db } from "@/lib/platform/database/open";
import { insertWith } from "@/lib/platform/database/testing/rows";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { beginEnrolment, confirmEnrolment } from "@/lib/platform/auth/codes/one-time-codes";
import { codeAt, fromBase32, stepAt } from "@/lib/platform/auth/codes/totp";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach } from "vitest";
import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";

export const password = "velho moinho azul";

// Configuration is parsed once a process.
process.env["AUTH_SECRET"] ??= randomBytes(32).toString("base64");
process.env["ENCRYPTION_KEYS"] ??= `test:${randomBytes(32).toString("base64")}`;

/** Hashing is slow on purpose; all databases of a run share one. */
let passwordHash: Promise<string> | undefined;

/** Of a test file that calls `amongPeople` once, new for each of its tests. */
export let db: Db;

/** A new database for each test, with `ana`, `dora` who is disabled, and `sso`, who has no password. */
export function amongPeople(): void {
  beforeEach(async () => {
    db = openDatabase(await migratedDatabaseUrl());
    passwordHash ??= hashPassword(password, hashOfProgram);
    const person = { created_at: 1, password_hash: await passwordHash };
    await insertWith(db, "users", [
      { ...person, id: "ana", email: "ana@aurora.example", name: "Ana" },
      { ...person, id: "dora", email: "dora@aurora.example", name: "Dora", disabled_at: 1 },
      { ...person, id: "sso", email: "sso@aurora.example", name: "Sol", password_hash: null },
    ]);
  });
  afterEach(() => db.destroy());
}

/** Sets codes up, and gives what the person then has. The first code is used up by that. */
export async function enrol(userId: string, now = Date.now()) {
  const text = await beginEnrolment(db, userId, now);
  if (text === null) throw new Error("set up already");
  const secret = fromBase32(text);
  const confirmed = await confirmEnrolment(db, userId, codeAt(secret, stepAt(now)), now);
  if (confirmed.outcome !== "confirmed") throw new Error(confirmed.outcome);
  /** The code of `steps` half-minutes after setting up. */
  const code = (steps: number) => codeAt(secret, stepAt(now) + steps);
  return { code, recoveryCodes: confirmed.recoveryCodes };
}
