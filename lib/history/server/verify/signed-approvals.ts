import "server-only";
import { isSigned } from "@/lib/platform/auth/passkeys/approval";
import type { Db, Executor } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/schema";
import { people } from "@/lib/platform/secrets/people";
import { sql } from "kysely";
import * as z from "zod/mini";
import {
  historyDetail,
  signedApprovalSchema,
  type SignedApproval,
} from "@/lib/history/model/entry";
import type { FurtherCheck } from "./further-checks";

/** With everything that the row stores of it. */
const signedEnding = z.extend(historyDetail.proposal_ended, {
  signed: z.optional(signedApprovalSchema),
});

/** Approvals that are read at once. */
const batchSize = 200;

/**
 * Verifies what the chain's keys cannot: that an approver's own passkey signed the change in the entry, and that the
 * save sent that change. Somebody with ENCRYPTION_KEYS can write entries that the chain takes for genuine; without the
 * approver's device nobody can make this signature.
 */
export const checkApprovals: FurtherCheck = async function* (db, chains) {
  const carried = carriedPasskeys(db);
  let after = { chain: "", seq: 0 };
  for (;;) {
    const rows = await endedAfter(db, chains, after).execute();
    for (const row of rows) {
      const what = await faultIn(db, row, carried);
      if (what !== null) yield { chain: row.partner_id, what };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = { chain: last.partner_id, seq: last.seq };
  }
};

/** Begins where the last search ended, instead of searching everything before again for each of them. */
export function endedAfter(
  db: Executor,
  chains: readonly string[] | null,
  { chain, seq }: { chain: string; seq: number },
) {
  return db
    .selectFrom("history")
    .selectAll()
    .where("kind", "=", "proposal_ended")
    .$if(chains !== null, (query) => query.where("partner_id", "in", chains ?? []))
    .where(sql<boolean>`(partner_id, seq) > (${chain}, ${seq})`)
    .orderBy("partner_id")
    .orderBy("seq")
    .limit(batchSize);
}

/** The fault of an approval, or of the save that follows it: both are written in one transaction. */
async function faultIn(db: Db, row: HistoryRow, carried: CarriedPasskeys): Promise<string | null> {
  const detail = z.safeParse(signedEnding, parse(row.detail_json)).data;
  const signed = detail?.signed;
  if (!signed) return null;
  const { proposal } = detail;
  const key =
    (await registeredKey(db, row.actor_id, signed.passkey)) ??
    (await carried(row.actor_id, signed.passkey));
  if (key === null)
    return `entry ${row.seq} is signed with a passkey that its approver never added`;
  const statement = {
    ...signed,
    partner: row.partner_id,
    environment: row.environment ?? "",
    proposal: proposal.id,
    approver: row.actor_id ?? "",
  };
  if (!(await isSigned(statement, signed, key)))
    return `entry ${row.seq} is not what its approver’s passkey signed`;
  const next = await db
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", row.partner_id)
    .where("seq", "=", row.seq + 1)
    .executeTakeFirst();
  return next && sendsAnother(next, { proposal: proposal.id, changes: signed.changes })
    ? `entry ${next.seq} sends something else than was approved`
    : null;
}

function sendsAnother(
  row: HistoryRow,
  { proposal, changes }: { proposal: string; changes: SignedApproval["changes"] },
): boolean {
  if (row.kind !== "save_attempt") return false;
  const detail = z.safeParse(historyDetail.save_attempt, parse(row.detail_json)).data;
  if (detail?.proposal?.id !== proposal) return false;
  const wanted = changes.map(({ type, after }) => [type, after?.callbackUrl, after?.fingerprint]);
  // A value that is sent for the first time stands there without its fingerprint: only the signature covers it.
  const sent = detail.wishes.map(({ type, wish: desired }, at) => [
    type,
    desired?.callbackUrl,
    desired?.fingerprint === "new" ? (wanted[at]?.[2] ?? "new") : desired?.fingerprint,
  ]);
  return JSON.stringify(wanted) !== JSON.stringify(sent);
}

/** The public key, as recorded when the person added the passkey: in another chain. */
async function registeredKey(
  executor: Executor,
  actorId: string | null,
  passkey: string,
): Promise<string | null> {
  if (actorId === null) return null;
  const rows = await executor
    .selectFrom("history")
    .select("detail_json")
    .where("partner_id", "=", people)
    .where("actor_id", "=", actorId)
    .where("kind", "=", "passkey_added")
    .execute();
  for (const { detail_json } of rows) {
    const detail = z.safeParse(historyDetail.passkey_added, parse(detail_json)).data;
    if (detail?.passkey === passkey) return detail.publicKey;
  }
  return null;
}

type CarriedPasskeys = (actorId: string | null, passkey: string) => Promise<string | null>;

/** Passkeys whose own entries were removed since; read on first use. */
function carriedPasskeys(executor: Executor): CarriedPasskeys {
  let known: Promise<ReadonlyMap<string, string>> | null = null;
  const read = async () => {
    const rows = await executor
      .selectFrom("history")
      .select("detail_json")
      .where("partner_id", "=", people)
      .where("kind", "=", "state_recorded")
      .where("outcome", "=", "carried")
      .execute();
    const all = rows.flatMap(
      ({ detail_json }) =>
        z.safeParse(historyDetail.state_recorded, parse(detail_json)).data?.passkeys ?? [],
    );
    return new Map(
      all.map(({ userId, passkey, publicKey }) => [`${userId} ${passkey}`, publicKey]),
    );
  };
  return async (actorId, passkey) => {
    known ??= read();
    return (await known).get(`${String(actorId)} ${passkey}`) ?? null;
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
