import "server-only";
import type { Database } from "@/lib/platform/database/tables";
import type { Transaction } from "kysely";

export type Place = {
  partner_id: string;
  environment: string;
  type: "pix_in" | "pix_out";
};

type Seen =
  { fact: "from" | "event"; value: string } | { fact: "after_save" | "repeated"; ms: number };

/** Whoever knows the address can send from anywhere: of so many addresses it is counted. */
const maxAddresses = 20;

/** Counts what one message has shown. In the transaction that holds the row of its address. */
export async function countFacts(
  trx: Transaction<Database>,
  place: Place,
  at: number,
  seen: readonly Seen[],
): Promise<void> {
  const all = await trx
    .selectFrom("capture_facts")
    .select(["fact", "value"])
    .where("partner_id", "=", place.partner_id)
    .where("environment", "=", place.environment)
    .where("type", "=", place.type)
    .execute();
  const addresses = all.filter(({ fact }) => fact === "from").map(({ value }) => value);
  for (const each of seen) {
    const [value, ms] = "ms" in each ? ["", each.ms] : [each.value, null];
    const isOneTooMany =
      each.fact === "from" && addresses.length >= maxAddresses && !addresses.includes(value);
    if (!isOneTooMany) await countFact(trx, { ...place, fact: each.fact, value }, at, ms);
  }
}

type Key = Place & { fact: Seen["fact"]; value: string };

async function countFact(trx: Transaction<Database>, key: Key, at: number, ms: number | null) {
  const found = await trx
    .selectFrom("capture_facts")
    .select(["times", "least_ms", "most_ms"])
    .where((eb) => eb.and(key))
    .executeTakeFirst();
  if (!found)
    return trx
      .insertInto("capture_facts")
      .values({ ...key, times: 1, first_at: at, last_at: at, least_ms: ms, most_ms: ms })
      .execute();
  return trx
    .updateTable("capture_facts")
    .set({
      times: found.times + 1,
      last_at: at,
      ...(ms !== null && {
        least_ms: Math.min(ms, found.least_ms ?? ms),
        most_ms: Math.max(ms, found.most_ms ?? ms),
      }),
    })
    .where((eb) => eb.and(key))
    .execute();
}
