import "server-only";
import type { Db } from "@/lib/platform/database/open";
import type { Database, SessionEnd } from "@/lib/platform/database/tables";
import { atTheTerminal, recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import type { Transaction } from "kysely";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { forgetCodes } from "@/lib/platform/auth/codes/one-time-codes";
import { removePasskeys } from "@/lib/platform/auth/passkeys/passkeys";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";

/** `none`: the person had none, and nothing was changed. `nobody`: no account has this address. */
type Reset = "reset" | "none" | "nobody";

/**
 * Removes the one-time codes of the person with this address (lower-case), for the operator; ends their sessions and
 * notifies them by mail.
 */
export function resetCodes(db: Db, email: string): Promise<Reset> {
  return reset(db, email, "codes_changed", async (trx, person) => {
    if (!(await forgetCodes(trx, person.userId))) return null;
    return { kind: "one_time_codes_reset", detail: person };
  });
}

/** The same for all their passkeys. */
export function resetPasskeys(db: Db, email: string): Promise<Reset> {
  return reset(db, email, "passkeys_reset", async (trx, person) => {
    const count = await removePasskeys(trx, person.userId);
    return count === 0 ? null : { kind: "passkeys_reset", detail: { ...person, count } };
  });
}

/**
 * Forgets the provider's account of the person, so that the next account with the address becomes theirs; ends their
 * sessions. Does so, and records it, also where none is linked.
 */
export function unlinkAccount(db: Db, email: string): Promise<Reset> {
  return reset(db, email, "account_unlinked", async (trx, person) => {
    await trx.deleteFrom("identities").where("user_id", "=", person.userId).execute();
    return { kind: "account_unlinked", detail: person };
  });
}

type Person = { userId: string; name: string; email: string };
type Removed =
  | { kind: "one_time_codes_reset" | "account_unlinked"; detail: Person }
  | { kind: "passkeys_reset"; detail: Person & { count: number } };

/** `remove`: null where there was nothing. */
async function reset(
  db: Db,
  email: string,
  ended: SessionEnd,
  remove: (trx: Transaction<Database>, person: Person) => Promise<Removed | null>,
): Promise<Reset> {
  const person = await db
    .selectFrom("users")
    .select(["id as userId", "name"])
    .where("email", "=", email)
    .executeTakeFirst();
  if (!person) return "nobody";
  const { userId, name } = person;
  const taken = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const found = await remove(trx, { userId, name, email });
    if (!found) return null;
    await endSessionsOf(trx, userId, ended);
    await recordPerson(trx, { ...atTheTerminal, outcome: null, ...found });
    return found;
  });
  if (!taken) return "none";
  log.warn({ userId, kind: taken.kind }, "a way to sign in was reset at the terminal");
  return "reset";
}
