import "server-only";
import { withoutSecondPerson } from "@/lib/platform/access/approvers";
import type { Db, Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";

const marker = "four-eyes-required";

/**
 * At a start: where REQUIRE_FOUR_EYES is new on this database, the people of each partner that had not switched approval
 * on count as independent, as they do when a partner does. From then on it matters who admitted whom.
 */
export async function noteRequirement(db: Db): Promise<void> {
  const { requireFourEyes } = env();
  await db.transaction().execute(async (trx) => {
    if (!requireFourEyes) {
      await trx.deleteFrom("markers").where("name", "=", marker).execute();
      return;
    }
    const noted = await trx
      .insertInto("markers")
      .values({ name: marker, done_at: databaseTime() })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .executeTakeFirst();
    if (noted.numInsertedOrUpdatedRows !== 1n) return;
    const unprotected = trx
      .selectFrom("partners")
      .select("id")
      .where("four_eyes_since", "is", null);
    await trx.deleteFrom("access_grants").where("partner_id", "in", unprotected).execute();
  });
}

/** Partners in use where nobody can approve a change that takes two people, by name; none where nothing requires it. */
export async function partnersWithoutSecondPerson(
  executor: Executor,
): Promise<{ id: string; name: string }[]> {
  if (!env().requireFourEyes) return [];
  const partners = await executor
    .selectFrom("partners")
    .select(["id", "name"])
    .where("suspended_at", "is", null)
    .orderBy("name")
    .execute();
  const stuck = new Set(await withoutSecondPerson(executor, null));
  return partners.filter(({ id }) => stuck.has(id));
}
