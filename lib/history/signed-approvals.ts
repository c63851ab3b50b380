import "server-only";
import { isSigned } from "@/lib/auth/passkeys/approval";
import type { Executor } from "@/lib/db/open";
import type { HistoryRow } from "@/lib/db/schema";
import { people } from "@/lib/secrets/people";
import * as z from "zod/mini";
import type { ChainFault } from "./chain";
import { historyDetail, type HistoryDetail } from "./entry";

type Signed = NonNullable<HistoryDetail["proposal_ended"]["signed"]>;

/** An approval whose save is the next entry: both are written in one transaction. */
type Approved = { seq: number; proposal: string; changes: Signed["changes"] };

/**
 * Verifies what the chain's keys cannot: that an approver's own passkey signed the change that stands in the entry, and
 * that what was sent then is that change. Whoever has ENCRYPTION_KEYS can write entries that the chain takes for
 * genuine; without the approver's device nobody makes this signature.
 */
export function checkApprovals(executor: Executor) {
  let approved: Approved | null = null;

  async function check(row: HistoryRow): Promise<ChainFault | null> {
    if (approved?.seq === row.seq - 1 && sendsAnother(row, approved))
      return { seq: row.seq, reason: "not_approved" };
    approved = null;
    if (row.kind !== "proposal_ended") return null;
    const detail = z.safeParse(historyDetail.proposal_ended, parse(row.detail_json)).data;
    const signed = detail?.signed;
    if (!signed) return null;
    const { proposal } = detail;
    const key = await registeredKey(executor, row.actor_id, signed.passkey);
    if (key === null) return { seq: row.seq, reason: "unknown_passkey" };
    const statement = {
      ...signed,
      partner: row.partner_id,
      environment: row.environment ?? "",
      proposal: proposal.id,
      approver: row.actor_id ?? "",
    };
    if (!(await isSigned(statement, signed, key)))
      return { seq: row.seq, reason: "wrong_signature" };
    approved = { seq: row.seq, proposal: proposal.id, changes: signed.changes };
    return null;
  }

  return {
    /** The next entries in the order of `seq`, which the chain's walk found right; null while all is well. */
    add: async (rows: readonly HistoryRow[]): Promise<ChainFault | null> => {
      for (const row of rows) {
        const fault = await check(row);
        if (fault) return fault;
      }
      return null;
    },
  };
}

function sendsAnother(row: HistoryRow, { proposal, changes }: Approved): boolean {
  if (row.kind !== "save_attempt") return false;
  const detail = z.safeParse(historyDetail.save_attempt, parse(row.detail_json)).data;
  if (detail?.proposal?.id !== proposal) return false;
  const wanted = changes.map(({ type, after }) => [type, after?.callbackUrl, after?.fingerprint]);
  const sent = detail.wishes.map(({ type, wish }) => [type, wish?.callbackUrl, wish?.fingerprint]);
  return JSON.stringify(wanted) !== JSON.stringify(sent);
}

/** The public key, as it was written down when the person added the passkey: in another chain, and for good. */
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

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
