import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { atTheTerminal, recordPerson } from "@/lib/history/server/record/record-person";
import { lockPerson } from "@/lib/platform/auth/lock-person";
import { issuePasswordLink, mayHavePasswordLink } from "./password-link";

/**
 * A link for the person with this address (lower-case), for whoever runs the installation to hand over: they vouch that
 * it reaches the person whose address it is, and that is what using it shows. `elsewhere`: they sign in at their provider.
 */
export async function makeLinkAtTerminal(
  db: Db,
  email: string,
): Promise<{ outcome: "made"; link: string } | { outcome: "nobody" } | { outcome: "elsewhere" }> {
  return db.transaction().execute(async (trx) => {
    const person = await trx
      .selectFrom("users")
      .select(["id", "name"])
      .where("email", "=", email)
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    if (!person) return { outcome: "nobody" as const };
    await lockPerson(trx, person.id);
    if (!(await mayHavePasswordLink(trx, person.id))) return { outcome: "elsewhere" as const };
    const link = await issuePasswordLink(trx, person.id, { proves: "terminal", by: null });
    await recordPerson(trx, {
      ...atTheTerminal,
      kind: "password_link_made",
      outcome: "terminal",
      detail: { userId: person.id, name: person.name, email },
    });
    return { outcome: "made" as const, link };
  });
}
