import "server-only";
import type { Db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import { people } from "@/lib/platform/secrets/people";
import { sql, type Transaction } from "kysely";
import { lockHeads, recordInEach, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { readRows, tablesOf, type Digest, type Note } from "./guarded";
import { notesByOwner, notesKey } from "./note";

/** Chains of one transaction: few enough that nobody waits long for one of them. */
const batchSize = 100;
/** Notes of one entry: few enough to read it like any other. */
export const notesPerBatch = 1_000;

/**
 * Why the present rows are taken as right. `upgrade`: rows from before the history had notes of them; `made`: by a
 * program of Gancho's, which records no events; `accepted`: an operator says so.
 */
type BaselineReason = "upgrade" | "made" | "accepted";

/** Notes the present guarded rows of these chains, in an entry in each. From here on the history expects them. */
export async function recordState(
  trx: Transaction<Database>,
  chains: readonly string[],
  why: BaselineReason,
): Promise<void> {
  if (chains.length === 0) return;
  await lockHeads(trx, chains);
  const digests = new Map<string, Digest>();
  for (const chain of chains) digests.set(chain, await partnerMacs(trx, chain, "state"));
  const notes = new Map<string, Note[]>(chains.map((chain) => [chain, []]));
  const partners = chains.filter((chain) => chain !== people);
  if (partners.length > 0)
    for (const table of tablesOf("partner")) {
      const digestOf = (chain: string) => digests.get(chain) ?? null;
      const found = await readRows(trx, table, { partners }, digestOf);
      for (const partner of partners) {
        const own = found.filter(({ chain }) => chain === partner);
        notes.get(partner)?.push({ table, owner: null, rows: [] }, ...notesByOwner(table, own));
      }
    }
  if (chains.includes(people))
    for (const table of tablesOf("people")) {
      const found = await readRows(trx, table, {}, () => digests.get(people) ?? null);
      notes.get(people)?.push({ table, owner: null, rows: [] }, ...notesByOwner(table, found));
    }
  for (let from = 0; [...notes.values()].some(({ length }) => length > from); from += notesPerBatch)
    await recordInEach(
      trx,
      [...notes].flatMap(([chain, all]) => {
        const some = all.slice(from, from + notesPerBatch);
        return some.length > 0 ? [{ entry: entryOf(chain, some, why), notes: some }] : [];
      }),
    );
}

function entryOf(chain: string, notes: readonly Note[], why: BaselineReason): NewHistoryEntry {
  return {
    partnerId: chain,
    environment: null,
    kind: "state_recorded",
    types: [],
    actor: null,
    requestId: null,
    outcome: why,
    detail: { rows: notes.reduce((sum, { rows }) => sum + rows.length, 0) },
  };
}

/**
 * Whether the history of this installation has notes of the rows yet. Once it has, only an operator's word can accept
 * rows as they are: somebody who changes them could otherwise have them noted by the next start.
 */
export async function hasState(db: Db): Promise<boolean> {
  const entries = db.selectFrom("history").select("seq").where("partner_id", "=", people).limit(1);
  const recorded = await entries.where("kind", "=", "state_recorded").executeTakeFirst();
  if (recorded) return true;
  const noted = await entries
    .where("detail_json", "like", `%"${notesKey}":%`)
    .orderBy("seq")
    .executeTakeFirst();
  return noted !== undefined;
}

/** Whether there are any rows to note. */
export async function hasRows(db: Db): Promise<boolean> {
  const person = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  if (person) return true;
  return (await db.selectFrom("partners").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/**
 * On the first start of a version that keeps notes: accepts an older version's rows as they are, chain by chain, the
 * people's last. It can end at any time and be started again, also twice at once; a chain that has notes keeps them.
 */
export async function recordFirstState(db: Db): Promise<void> {
  if (!(await hasRows(db)) || (await hasState(db))) return;
  for await (const some of partnersOf(db))
    await db.transaction().execute(async (trx) => {
      await lockHeads(trx, some);
      await recordState(trx, await withoutNotes(trx, some), "upgrade");
    });
  await db.transaction().execute(async (trx) => {
    await lockHeads(trx, [people]);
    await recordState(trx, await withoutNotes(trx, [people]), "upgrade");
  });
}

/** Of these chains, or of all. An operator saw the differences, and says that they are right. */
export async function acceptState(db: Db, chains: readonly string[] | null): Promise<void> {
  const record = (some: readonly string[]) =>
    db.transaction().execute((trx) => recordState(trx, some, "accepted"));
  if (chains) return record(chains);
  for await (const some of partnersOf(db)) await record(some);
  await record([people]);
}

async function* partnersOf(db: Db): AsyncGenerator<string[]> {
  for (let after = ""; ;) {
    const rows = await db
      .selectFrom("partners")
      .select("id")
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

async function withoutNotes(
  trx: Transaction<Database>,
  chains: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ partner_id: string }>`
    select distinct partner_id from history
    where partner_id in (${sql.join(chains)}) and detail_json like ${`%"${notesKey}":%`}`.execute(
    trx,
  );
  const noted = new Set(rows.map(({ partner_id }) => partner_id));
  return chains.filter((chain) => !noted.has(chain));
}
