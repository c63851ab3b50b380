import { setByOperator } from "@/lib/connection/server/set-by-operator";
import { byNobody, recordHistory, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { insertPartner } from "@/lib/partners/server/change-partner";
import { searchable } from "@/lib/partners/server/list/search-words";
import { revokeInvitations } from "@/lib/platform/auth/right-to-invite";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { lockPartner } from "@/lib/platform/database/row-locks";
import type { Database, InvitationRow } from "@/lib/platform/database/tables";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { createInvitation, newLinkToken } from "@/lib/team/server/invitations/create-invitation";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import type { Transaction } from "kysely";
import type { PartnerLine } from "./lines";
import { planLine, type Plan, type Step, type Terms } from "./plan";

/** An invitation to mail, with what only this process has: its token. */
export type ToMail = { row: InvitationRow; token: string };

/** `faults`: then nothing of the line was done. */
export type Applied = Plan & { toMail: ToMail[] };

/** Somebody else changed the same between two statements: the line is planned anew. */
class Overtaken extends Error {
  override readonly name: string = "Overtaken";
}

const waitForSaveMs = 10_000;

/**
 * Brings one partner to what its line says, in one transaction that begins with the import's lease. `planned` says whether
 * there was anything to do, and which connections to lock; what is done is planned anew in the transaction. Throws
 * `LeaseLost` where another import may run by now.
 */
export async function applyLine(
  line: PartnerLine,
  planned: Plan,
  terms: Terms,
  lease: Lease,
): Promise<Applied> {
  for (let plan = planned; ; plan = await planLine(db(), line, terms)) {
    const applied = await tryLine(line, plan, terms, lease).catch((error: unknown) => {
      if (error instanceof Overtaken) return null;
      throw error;
    });
    if (applied) return applied;
  }
}

async function tryLine(
  line: PartnerLine,
  plan: Plan,
  terms: Terms,
  lease: Lease,
): Promise<Applied> {
  if (plan.faults.length > 0 || plan.steps.length === 0) return { ...plan, toMail: [] };
  const locks: Lease[] = [];
  try {
    for (const step of plan.steps) {
      if (step.do !== "connect" || !step.before) continue;
      // A save is read back with the client that made it.
      const lock = await lockConnection(step.before.id, waitForSaveMs);
      if (!lock) {
        const busy = `a save in ${step.environment} is in progress: import the file again`;
        return { ...plan, faults: [busy], toMail: [] };
      }
      locks.push(lock);
    }
    return await db()
      .transaction()
      .execute((trx) => applyOnce(trx, line, terms, [lease, ...locks]));
  } finally {
    for (const lock of locks) await lock.release();
  }
}

async function applyOnce(
  trx: Transaction<Database>,
  line: PartnerLine,
  terms: Terms,
  leases: readonly Lease[],
): Promise<Applied> {
  for (const lease of leases) await holdLease(trx, lease);
  await lockPartner(trx, line.id);
  const plan = await planLine(trx, line, terms);
  if (plan.faults.length > 0) return { ...plan, toMail: [] };
  const isLocked = (id: string) => leases.some(({ name }) => name === `save:${id}`);
  const entries: NewHistoryEntry[] = [];
  const toMail: ToMail[] = [];
  for (const step of plan.steps) {
    if (step.do === "connect" && step.before && !isLocked(step.before.id)) throw new Overtaken();
    const done = await carryOut(trx, step, line, terms);
    entries.push(...done.entries);
    if (done.toMail) toMail.push(done.toMail);
  }
  await recordHistory(trx, ...entries);
  return { ...plan, toMail };
}

type Done = { entries: NewHistoryEntry[]; toMail?: ToMail };

async function carryOut(
  trx: Transaction<Database>,
  step: Step,
  { id, name, connections }: PartnerLine,
  { environments, reason, tried }: Terms,
): Promise<Done> {
  const about = { ...byNobody, partnerId: id };
  const change = (values: object) =>
    trx.updateTable("partners").set(values).where("id", "=", id).execute();
  switch (step.do) {
    case "create":
      if (!(await insertPartner(trx, { id, name }))) throw new Overtaken();
      return { entries: [{ ...about, kind: "partner_created", detail: { name } }] };
    case "rename":
      await change({ name, words: searchable(name, id) });
      return {
        entries: [
          { ...about, kind: "partner_renamed", detail: { before: step.before, after: name } },
        ],
      };
    case "suspend":
      await change({ suspended_at: databaseTime() });
      return { entries: [{ ...about, kind: "partner_suspended", detail: {} }] };
    case "resume":
      await change({ suspended_at: null });
      return { entries: [{ ...about, kind: "partner_resumed", detail: {} }] };
    case "connect": {
      const credentials = connections.get(step.environment);
      const { environment, before } = step;
      const entry =
        credentials &&
        (await setByOperator(trx, {
          partnerId: id,
          environment,
          baseUrl: environments.get(environment) ?? "",
          before,
          reason,
          trial: tried.get(credentials) ?? null,
          ...credentials,
        }));
      if (!entry) throw new Overtaken();
      return { entries: [entry] };
    }
    case "invite":
      return invite(trx, id, step.admin);
    case "mail": {
      const { invitation: row } = step;
      return { entries: [], toMail: { row, token: await newLinkToken(trx, row.id) } };
    }
  }
}

async function invite(
  trx: Transaction<Database>,
  partnerId: string,
  { email, name }: PartnerLine["admins"][number],
): Promise<Done> {
  const which = { partner_id: partnerId, email };
  await revokeInvitations(trx, which, null, { clientAddress: null, requestId: null }, true);
  const made = await createInvitation(trx, {
    partnerId,
    email,
    role: "admin",
    invitedBy: null,
    ...(name !== undefined && { name }),
  });
  return {
    entries: [
      {
        ...byNobody,
        partnerId,
        kind: "member_invited",
        detail: { invitationId: made.row.id, email, role: "admin" },
      },
    ],
    toMail: made,
  };
}
