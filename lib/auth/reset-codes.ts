import "server-only";
import type { Db } from "@/lib/db/open";
import { atTheTerminal, recordPerson } from "@/lib/history/record-person";
import { log } from "@/lib/log";
import { tellByMail } from "@/lib/mail/tell-by-mail";
import { lockPerson } from "./lock-person";
import { forgetCodes } from "./one-time-codes";
import { endSessionsOf } from "./sessions";

/**
 * Takes the one-time codes of the person with this address (lower-case) away, for whoever runs the installation; whoever
 * is signed in as them is not any more. `none`: they had no codes set up, and nothing was changed.
 */
export async function resetCodes(db: Db, email: string): Promise<"reset" | "none" | "nobody"> {
  const person = await db
    .selectFrom("users")
    .select(["id", "name"])
    .where("email", "=", email)
    .executeTakeFirst();
  if (!person) return "nobody";
  const reset = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, person.id);
    const hadCodes = await forgetCodes(trx, person.id);
    if (!hadCodes) return false;
    await endSessionsOf(trx, person.id, "codes_changed");
    await recordPerson(trx, {
      ...atTheTerminal,
      kind: "one_time_codes_reset",
      outcome: null,
      detail: { userId: person.id, name: person.name, email },
    });
    await tellByMail(trx, { name: person.name, email }, "codes_changed");
    return true;
  });
  if (!reset) return "none";
  log.warn({ userId: person.id }, "one-time codes were reset at the terminal");
  return "reset";
}
