import "server-only";
import {
  recordHistory,
  recordInEach,
  atTheTerminal,
  byNobody,
  recordPerson,
} from "@/lib/history/server/record/record";
import { endEverySession } from "@/lib/platform/auth/sessions/sessions";
import type { Db } from "@/lib/platform/database/open";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { isFollowed, type Database } from "@/lib/platform/database/tables";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { people } from "@/lib/platform/secrets/model/people";
import type { Transaction } from "kysely";

/** What was open in a backup. */
export type Ended = {
  sessions: number;
  links: number;
  invitations: number;
  changes: number;
  /** Links that confirm an alert address. */
  confirmations: number;
  /** Receiving addresses: one that was switched off since was never to work again. */
  captures: number;
};

/**
 * Ends, in one transaction, whatever is open in a restored backup and may have ended since it was made: sessions, begun
 * sign-ins, password links, invitations, waiting changes, links that confirm an alert address, and receiving addresses. Each history gets an entry at the position of the first
 * lost one, which tells its readers that it went back.
 */
export async function revokeOpenAccess(db: Db): Promise<Ended> {
  const ended = await db.transaction().execute(async (trx): Promise<Ended> => {
    const now = databaseTime();
    const sessions = await endEverySession(trx, "restored", now);
    const links = await endPasswordLinks(trx, now);
    await recordRestored(trx);
    const changes = await endWaitingChanges(trx, now);
    await followSavesFromNow(trx);
    const invitations = await revokeInvitations(trx, now);
    const confirmations = await endConfirmations(trx, now);
    const captures = Number((await trx.deleteFrom("captures").executeTakeFirst()).numDeletedRows);
    await recordPerson(trx, {
      ...atTheTerminal,
      kind: "installation_restored",
      outcome: null,
      detail: { sessions, links },
    });
    return { sessions, links, invitations, changes, confirmations, captures };
  });
  log.warn(
    ended,
    "a backup was restored: open sessions, links, invitations, changes and receiving addresses were ended",
  );
  return ended;
}

/** Returns how many could still be used. */
async function endPasswordLinks(trx: Transaction<Database>, now: number): Promise<number> {
  const ended = await trx
    .updateTable("password_links")
    .set({ used_at: now })
    .where("used_at", "is", null)
    .returning("expires_at")
    .execute();
  return ended.filter(({ expires_at }) => expires_at > now).length;
}

/**
 * A change that was rejected since could be approved now, and an approved one be sent again. Makes no entry and no
 * alert: how it ended is unknown. Returns how many could still be decided.
 */
async function endWaitingChanges(trx: Transaction<Database>, now: number): Promise<number> {
  const ended = await trx
    .updateTable("changes")
    .set({ state: "expired", secret_ciphertext: null, decided_at: now, dismissed_at: now })
    .where("state", "=", "waiting")
    .returning("expires_at")
    .execute();
  return ended.filter(({ expires_at }) => (expires_at ?? 0) > now).length;
}

/**
 * All saves count from now, and ages by the time of day: another machine's steady clock means nothing here.
 */
async function followSavesFromNow(trx: Transaction<Database>): Promise<void> {
  await trx
    .updateTable("changes")
    .set({ sent_at: steadyNow(), next_check_at: steadyNow() })
    .where(isFollowed)
    .execute();
  await trx.updateTable("confirmed_configurations").set({ looked_steady: 0 }).execute();
}

/** Records each in its partner's history. Returns how many could still be accepted. */
async function revokeInvitations(trx: Transaction<Database>, now: number): Promise<number> {
  const revoked = await trx
    .updateTable("invitations")
    .set({ revoked_at: now })
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .returning(["id", "partner_id", "email", "role"])
    .execute();
  for (const { id, partner_id: partnerId, email, role } of revoked)
    await recordHistory(trx, {
      ...byNobody,
      partnerId,
      kind: "invitation_revoked",
      detail: { invitationId: id, email, role, replaced: false },
    });
  return revoked.length;
}

/** The alert address may have been removed since. Returns how many could still be used. */
async function endConfirmations(trx: Transaction<Database>, now: number): Promise<number> {
  const ended = await trx
    .updateTable("alert_addresses")
    .set({ expires_at: now })
    .where("confirmed_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/** Chains of one statement. */
const batchSize = 100;

/** Records it in the history of each partner that has entries, as the first entry since the backup. */
async function recordRestored(trx: Transaction<Database>): Promise<void> {
  for (let after = ""; ;) {
    const heads = await trx
      .selectFrom("history_heads")
      .select("partner_id")
      .where("partner_id", ">", after)
      .where("partner_id", "!=", people)
      .where("seq", ">", 0)
      .orderBy("partner_id")
      .limit(batchSize)
      .execute();
    const last = heads.at(-1);
    if (!last) return;
    await recordInEach(
      trx,
      heads.map(({ partner_id: partnerId }) => ({
        ...byNobody,
        partnerId,
        kind: "history_restored",
        detail: {},
      })),
    );
    after = last.partner_id;
  }
}
