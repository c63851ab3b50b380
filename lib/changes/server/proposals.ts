import "server-only";
import { log } from "@/lib/platform/log/log";
import type { HistoryDetail } from "@/lib/history/model/entry";
import { recordHistory, type Actor } from "@/lib/history/server/record/record";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import {
  approversOf,
  areIndependent,
  authorAmong,
  type Approver,
} from "@/lib/platform/access/approvers";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, type Executor } from "@/lib/platform/database/open";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import type { ChangeRow, Database } from "@/lib/platform/database/tables";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { Secret } from "@/lib/platform/runtime/secret";
import { decryptFor, encryptFor, type FieldIdentity } from "@/lib/platform/secrets/field";
import { typesOf, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { sql, type SqlBool, type Transaction } from "kysely";

/**
 * Changes of webhooks, of credentials and of four-eyes approval itself that wait for a second person: how one is
 * proposed, decided and ended, and what all screens show of it. Its content depends on its kind.
 */

/** How long a change waits, milliseconds. */
const lifeMs = 24 * 60 * 60_000;

/** A change that takes a second person. `overdue`: it has expired, whether or not that was recorded. */
export type ProposalRow = ChangeRow & { overdue: SqlBool };

type Kind = ChangeRow["kind"];

export function proposals(executor: Executor, { partnerId, environment }: EnvironmentRef) {
  return executor
    .selectFrom("changes")
    .selectAll()
    .select((eb) => eb("expires_at", "<=", timeOfDay()).as("overdue"))
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("expires_at", "is not", null);
}

/** The waiting ones, overdue ones included, the oldest first. */
export async function waitingRows(
  executor: Executor,
  ref: EnvironmentRef,
  kind: Kind,
): Promise<ProposalRow[]> {
  return proposals(executor, ref)
    .where("state", "=", sql.lit("waiting"))
    .where("kind", "=", kind)
    .orderBy("created_at")
    .execute();
}

/** Throws `not_found`. */
export async function findProposal(
  executor: Executor,
  ref: EnvironmentRef,
  id: string,
): Promise<ProposalRow> {
  const row = await proposals(executor, ref).where("id", "=", id).executeTakeFirst();
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  return row;
}

/** Throws `proposal_over` with its state. */
export function requireWaiting(row: ProposalRow): ProposalRow {
  if (row.state !== "waiting" || row.overdue) throw over(row);
  return row;
}

function over(row: ProposalRow): ProblemError {
  const state = row.state === "waiting" ? "expired" : decisionOn(row);
  return new ProblemError("proposal_over", { applied: "no", extra: { state } });
}

/** How it ended; `approved` however the change itself ended. null: it waits. */
export function decisionOn({ state }: Pick<ChangeRow, "state">) {
  switch (state) {
    case "waiting":
      return null;
    case "rejected":
    case "withdrawn":
    case "replaced":
    case "expired":
      return state;
    default:
      return "approved";
  }
}

type NewProposal = {
  access: PartnerAccess;
  environment: string;
  /** The id of the request to save, which a retry repeats. */
  id: string;
  kind: Kind;
  appliesTo: ChangeRow["applies_to"];
  /** null where it is about the whole partner. */
  connection: Pick<PartnerConnection, "id" | "baseUrl" | "clientId"> | null;
  /** What the second person decides on, without secrets. */
  asked: object;
  secret: Secret | null;
  versions?: { before: readonly object[]; desired: readonly object[] };
  reason: string | undefined;
  /** The waiting ones that the author saw. */
  replaces: readonly string[];
  actor: Actor;
  requestId: string;
};

/**
 * Stores a change for a second person to approve; its caller records it in the history. It replaces the overlapping
 * ones that wait, if its author saw them: otherwise `pending`, and nothing was changed. Throws `forbidden` for a person
 * whose role has changed.
 */
export async function propose(
  trx: Transaction<Database>,
  proposal: NewProposal,
): Promise<ChangeRow | "pending"> {
  const { access, environment, id, kind, appliesTo, connection, actor, requestId } = proposal;
  await recheckRole(trx, access);
  const partnerId = access.partner.id;
  const overlapping = (await waitingRows(trx, { partnerId, environment }, kind)).filter(
    (row) =>
      appliesTo === null ||
      typesOf(row.applies_to).some((type) => typesOf(appliesTo).includes(type)),
  );
  const waiting = overlapping.filter((row) => !row.overdue);
  // Before any of them ends: `pending` means that nothing was changed.
  if (waiting.some((row) => !proposal.replaces.includes(row.id))) return "pending";
  for (const row of overlapping) {
    // It may have expired since it was read.
    const isReplaced = await endProposal(trx, row, { state: "replaced", actor, requestId });
    if (!isReplaced) await endProposal(trx, row, expiry);
  }
  const { secret, versions } = proposal;
  const place = { partner_id: partnerId, environment, id };
  return trx
    .insertInto("changes")
    .values({
      ...place,
      connection_id: connection?.id ?? null,
      kind,
      applies_to: appliesTo,
      state: "waiting",
      author_id: actor.id,
      created_at: databaseTime(),
      expires_at: sql<number>`${timeOfDay()} + cast(${lifeMs} as integer)`,
      asked_json: JSON.stringify(proposal.asked),
      secret_ciphertext:
        secret && (await encryptFor(trx, partnerId, secretIdentity(place), secret)),
      reason: proposal.reason ?? null,
      before_json: versions ? JSON.stringify(versions.before) : null,
      desired_json: versions ? JSON.stringify(versions.desired) : null,
      request_id: requestId,
      base_url: connection?.baseUrl ?? "",
      client_id: connection?.clientId ?? "",
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The context that the secret is encrypted for. */
function secretIdentity({ environment, id }: Pick<ChangeRow, "environment" | "id">): FieldIdentity {
  return { table: "changes", row: `${environment}/${id}`, column: "secret" };
}

/** Throws `proposal_over` where it was deleted already. */
export async function proposedSecret(row: ProposalRow): Promise<Secret> {
  if (row.secret_ciphertext === null) throw over(row);
  return decryptFor(db(), row.partner_id, secretIdentity(row), row.secret_ciphertext);
}

type Ending = {
  state: "approved" | "rejected" | "withdrawn" | "replaced" | "expired";
  /** null: nobody, it expired. */
  actor: Actor | null;
  requestId: string | null;
  /** A message of the person who ends it, for its author. */
  reason?: string | undefined;
};

const expiry: Ending = { state: "expired", actor: null, requestId: null };

/**
 * Ends a waiting proposal and records that, in the caller's transaction: of concurrent callers, one gets `true`.
 * Deletes the secret. An overdue one can only expire. An approved change of webhooks is now `sent`, and its save
 * carries it out; any other takes effect in this transaction. For changes of four-eyes approval, the caller records the end.
 */
export async function endProposal(
  trx: Transaction<Database>,
  row: ChangeRow,
  { state, actor, requestId, reason }: Ending,
): Promise<boolean> {
  const approved = row.kind === "webhooks" ? "sent" : "closed";
  const { numUpdatedRows } = await trx
    .updateTable("changes")
    .set({
      state: state === "approved" ? approved : state,
      secret_ciphertext: null,
      decided_at: databaseTime(),
      decided_by_id: actor?.id ?? null,
      decision_reason: reason ?? null,
    })
    .where("partner_id", "=", row.partner_id)
    .where("environment", "=", row.environment)
    .where("id", "=", row.id)
    .where("state", "=", "waiting")
    .where("expires_at", state === "expired" ? "<=" : ">", timeOfDay())
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const entry = { ...aboutRow(row), actor, requestId, outcome: state };
  const detail = { proposal: proposalOf(row), ...(reason === undefined ? {} : { reason }) };
  if (row.kind === "webhooks")
    await recordHistory(trx, { ...entry, kind: "proposal_ended", detail });
  if (row.kind === "credentials")
    await recordHistory(trx, {
      ...entry,
      kind: "connection_proposal_ended",
      detail: { ...detail, clientIdAfter: row.client_id },
    });
  return true;
}

export function aboutRow(
  row: Pick<ChangeRow, "partner_id" | "environment" | "applies_to">,
): EnvironmentRef & { types: WebhookType[] } {
  return {
    partnerId: row.partner_id,
    environment: row.environment,
    types: typesOf(row.applies_to),
  };
}

/** As the history names it. */
export function proposalOf(
  row: Pick<ChangeRow, "id" | "author_id">,
): NonNullable<HistoryDetail["save_sent"]["proposal"]> {
  return { id: row.id, author: { id: row.author_id, name: "" } };
}

/** Who may decide: editors and admins on webhooks, otherwise admins alone. */
async function decidersOf(
  executor: Executor,
  { partner_id, kind }: Pick<ChangeRow, "partner_id" | "kind">,
): Promise<Approver[]> {
  const people = await approversOf(executor, partner_id);
  return people.filter(({ role }) => kind === "webhooks" || role === "admin");
}

/**
 * Compares people, not sessions, by their current roles, and returns the author. Throws `own_proposal`, `forbidden`
 * where the approver or `author_may_not` where the author could not make the change alone, or `no_second_person` where
 * the two are not independent.
 */
export async function requireTwoPeople(
  executor: Executor,
  row: ChangeRow,
  approverId: string,
): Promise<Approver> {
  if (row.author_id === approverId) throw new ProblemError("own_proposal", { applied: "no" });
  const people = await decidersOf(executor, row);
  const approver = people.find(({ id }) => id === approverId);
  if (!approver) throw new ProblemError("forbidden", { applied: "no" });
  const author = authorAmong(people, row);
  if (!author) throw new ProblemError("author_may_not", { applied: "no" });
  if (!areIndependent(author, approver))
    throw new ProblemError("no_second_person", { applied: "no" });
  return author;
}

/**
 * Approves it in the transaction in which it begins to take effect: of concurrent approvals, withdrawals and new
 * proposals, one wins. Checks again what may have changed meanwhile, roles included.
 */
export async function claim(
  trx: Transaction<Database>,
  { row, authorIsAdmin = false }: { row: ProposalRow; authorIsAdmin?: boolean },
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> {
  await lockPartner(trx, row.partner_id);
  const author = await requireTwoPeople(trx, row, actor.id);
  if (authorIsAdmin && author.role !== "admin")
    throw new ProblemError("author_may_not", { applied: "no" });
  if (await endProposal(trx, row, { state: "approved", actor, requestId })) return;
  const ref = { partnerId: row.partner_id, environment: row.environment };
  throw over(await findProposal(trx, ref, row.id));
}

/**
 * Every person who could approve it may stop it. The author withdraws it, others reject it; an admin may do either.
 * Throws `not_found`, `proposal_over`, `forbidden`, or `own_proposal`.
 */
export async function stop(
  ref: EnvironmentRef,
  id: string,
  { decision, reason }: { decision: "reject" | "withdraw"; reason?: string | undefined },
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      await lockPartner(trx, ref.partnerId);
      const row = requireWaiting(await findProposal(trx, ref, id));
      const people = await decidersOf(trx, row);
      const person = people.find((candidate) => candidate.id === actor.id);
      const isOwn = row.author_id === actor.id;
      if (!person || (decision === "withdraw" && !isOwn && person.role !== "admin"))
        throw new ProblemError("forbidden", { applied: "no" });
      if (decision === "reject" && isOwn) throw new ProblemError("own_proposal", { applied: "no" });
      const state = decision === "reject" ? "rejected" : "withdrawn";
      if (!(await endProposal(trx, row, { state, actor, requestId, reason }))) throw over(row);
    });
}

/**
 * Ends all overdue proposals, so that their secrets are deleted and their authors notified even if nobody reads them.
 */
export async function endOverdue(): Promise<void> {
  const overdue = await db()
    .selectFrom("changes")
    .selectAll()
    .where("state", "=", sql.lit("waiting"))
    .where("expires_at", "<=", timeOfDay())
    .execute();
  for (const row of overdue)
    await db()
      .transaction()
      .execute((trx) => endProposal(trx, row, expiry))
      // One partner's damaged data must not keep the others' secrets.
      .catch((err: unknown) =>
        log.error({ err, partnerId: row.partner_id }, "an overdue proposal could not be ended"),
      );
}

/** What every screen shows of a waiting change. */
export type Waiting = {
  row: ProposalRow;
  shown: {
    id: string;
    reason: string | null;
    by: { id: string; name: string };
    at: string;
    expiresAt: string;
    /** By the rule of an approval; null where the author may no longer make the change. */
    approvers: { id: string; name: string }[] | null;
  };
};

/** Those that wait here. Ends overdue ones, so that their secrets are deleted. */
export async function readWaiting(ref: EnvironmentRef, kind: Kind): Promise<Waiting[]> {
  const waiting: ProposalRow[] = [];
  for (const row of await waitingRows(db(), ref, kind))
    if (row.overdue)
      await db()
        .transaction()
        .execute((trx) => endProposal(trx, row, expiry));
    else waiting.push(row);
  if (waiting.length === 0) return [];
  const people = await decidersOf(db(), { partner_id: ref.partnerId, kind });
  const authors = waiting.map((row) => row.author_id);
  const nameOf = await distinctNames(db(), ref.partnerId, authors);
  return waiting.map((row) => {
    const author = authorAmong(people, row);
    const approvers = author && people.filter((person) => areIndependent(author, person));
    const shown = {
      id: row.id,
      reason: row.reason,
      by: { id: row.author_id, name: nameOf(row.author_id) },
      at: new Date(row.created_at).toISOString(),
      expiresAt: new Date(row.expires_at ?? 0).toISOString(),
      approvers: approvers?.map(({ id, name }) => ({ id, name })) ?? null,
    };
    return { row, shown };
  });
}
