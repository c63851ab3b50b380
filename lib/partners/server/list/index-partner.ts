import "server-only";
import type { Database, PartnerOverviewRow } from "@/lib/platform/database/tables";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import type { Transaction } from "kysely";
import { domainToUnicode } from "node:url";
import { flagsOf } from "./flags";
import { termsOf, wordsOf } from "./search-words";

type Indexed = { words: string; flags: string };

type Overview = Pick<
  PartnerOverviewRow,
  | ("partner_id" | "environment" | "confirmed" | "fault_code")
  | ("pix_in_host" | "pix_out_host" | "without_authorization")
>;

/**
 * Updates a partner's index entries from its name and overviews, in the caller's transaction. Call it after writing one
 * of those.
 */
export async function indexPartner(trx: Transaction<Database>, partnerId: string): Promise<void> {
  const before = await lock(trx, partnerId);
  const after = await describe(trx, partnerId);
  if (before.words === after.words && before.flags === after.flags) return;
  const old = new Set(indexTerms(before));
  const now = new Set(indexTerms(after));
  const gone = [...old].filter((term) => !now.has(term));
  const come = [...now].filter((term) => !old.has(term));
  if (gone.length > 0)
    await trx
      .deleteFrom("partner_terms")
      .where("partner_id", "=", partnerId)
      .where("term", "in", gone)
      .execute();
  if (come.length > 0)
    await trx
      .insertInto("partner_terms")
      .values(come.map((term) => ({ term, partner_id: partnerId })))
      .execute();
  await trx.updateTable("partner_words").set(after).where("partner_id", "=", partnerId).execute();
}

/**
 * Writes first, so that the second of two transactions that index the same partner waits, and then sees what the first
 * one saw.
 */
async function lock(trx: Transaction<Database>, partnerId: string): Promise<Indexed> {
  return trx
    .insertInto("partner_words")
    .values({ partner_id: partnerId, words: "", flags: "" })
    .onConflict((conflict) =>
      conflict.column("partner_id").doUpdateSet((eb) => ({ words: eb.ref("partner_words.words") })),
    )
    .returning(["words", "flags"])
    .executeTakeFirstOrThrow();
}

async function describe(trx: Transaction<Database>, partnerId: string): Promise<Indexed> {
  const rows = await trx
    .selectFrom("partners")
    .leftJoin("connections", "connections.partner_id", "partners.id")
    .leftJoin("partner_overviews as overview", (join) =>
      join
        .onRef("overview.partner_id", "=", "connections.partner_id")
        .onRef("overview.environment", "=", "connections.environment")
        // A reading as another client, which ended after that was replaced, says nothing of this one.
        .on(({ eb, or, ref }) =>
          or([
            eb("overview.client_id", "is", null),
            eb("overview.client_id", "=", ref("connections.client_id")),
          ]),
        ),
    )
    .select(["partners.id", "name", "suspended_at"])
    .select(["overview.partner_id", "overview.environment", "overview.confirmed"])
    .select(["pix_in_host", "pix_out_host", "without_authorization", "fault_code"])
    .where("partners.id", "=", partnerId)
    .execute();
  const [partner] = rows;
  if (!partner) throw new Error("a partner that is indexed is not there");
  // A connection that was never read has nulls only.
  const overviews = rows.filter(({ partner_id }) => partner_id !== null) as Overview[];
  return describePartner(partner, overviews);
}

/** A partner's words and flags. Exported for filling the index in bulk. */
export function describePartner(
  { id, name, suspended_at }: { id: string; name: string; suspended_at: number | null },
  overviews: readonly Overview[],
): Indexed {
  const hosts = overviews
    .flatMap(({ pix_in_host, pix_out_host }) => [pix_in_host, pix_out_host])
    .filter((host) => host !== null);
  const flags = flagsOf({
    suspended: suspended_at !== null,
    overviews: overviews.map((row) => ({
      environment: row.environment,
      confirmed: row.confirmed === 1,
      hosts: { pix_in: row.pix_in_host, pix_out: row.pix_out_host },
      withoutAuthorization: webhookTypes.filter((type) =>
        row.without_authorization.split(",").includes(type),
      ),
      failing: row.fault_code !== null,
    })),
  });
  // A host in another script is also found by the name that its owner uses.
  const words = wordsOf(name, id, ...hosts, ...hosts.map(domainToUnicode));
  return { words: words.map((word) => ` ${word}`).join(""), flags: flags.join(" ") };
}

/** The terms of such a partner in the index. */
export function indexTerms({ words, flags }: Indexed): string[] {
  return [...termsOf(split(words)), ...split(flags)];
}

function split(text: string): string[] {
  return text.split(" ").filter((part) => part !== "");
}
