import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { atTheTerminal, recordPerson } from "@/lib/history/server/record/record-person";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";

/**
 * Forgets by which account of a provider the person with this address (lower-case) signs in, so that the next one with
 * the address is theirs; whoever is signed in as them is not any more. Returns whether there was such a person.
 */
export async function unlink(db: Db, email: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const person = await trx
      .selectFrom("users")
      .select(["id", "name"])
      .where("email", "=", email)
      .executeTakeFirst();
    if (!person) return false;
    await trx.deleteFrom("identities").where("user_id", "=", person.id).execute();
    await endSessionsOf(trx, person.id, "account_unlinked");
    await recordPerson(trx, {
      ...atTheTerminal,
      kind: "account_unlinked",
      outcome: null,
      detail: { userId: person.id, name: person.name, email },
    });
    return true;
  });
}
