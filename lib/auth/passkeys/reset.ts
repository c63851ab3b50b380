import "server-only";
import type { Db } from "@/lib/db/open";
import { atTheTerminal, recordPerson } from "@/lib/history/record-person";
import { log } from "@/lib/log";
import { lockPerson } from "../lock-person";
import { endSessionsOf } from "../sessions";
import { removePasskeys } from "./passkeys";

/**
 * Takes the passkeys of the person with this address (lower-case) away, for whoever runs the installation; whoever is
 * signed in as them is not any more. `none`: they had none, and nothing was changed.
 */
export async function resetPasskeys(db: Db, email: string): Promise<"reset" | "none" | "nobody"> {
  const person = await db
    .selectFrom("users")
    .select(["id", "name"])
    .where("email", "=", email)
    .executeTakeFirst();
  if (!person) return "nobody";
  const reset = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, person.id);
    const count = await removePasskeys(trx, person.id);
    if (count === 0) return false;
    await endSessionsOf(trx, person.id, "codes_changed");
    await recordPerson(trx, {
      ...atTheTerminal,
      kind: "passkeys_reset",
      outcome: null,
      detail: { userId: person.id, name: person.name, email, count },
    });
    return true;
  });
  if (!reset) return "none";
  log.warn({ userId: person.id }, "passkeys were reset at the terminal");
  return "reset";
}
