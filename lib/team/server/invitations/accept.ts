import "server-only";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { currentViewer, type Viewer } from "@/lib/platform/access/viewer";
import { db, type Executor } from "@/lib/platform/database/open";
import type { InvitationRow, Database } from "@/lib/platform/database/tables";
import { openInvitationsTo, rightToInvite } from "@/lib/platform/auth/right-to-invite";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { ProblemError, fieldRefused } from "@/lib/platform/http/model/problem";
import type { Offer, Accepted } from "@/lib/team/model/team";
import { recordAccessGrant } from "@/lib/platform/access/approvers";
import { distinctNames, isNameTaken } from "@/lib/platform/auth/person-names";
import { namesTaken } from "@/lib/platform/auth/names-taken";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { countLinkUse } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { passwordFault } from "@/lib/platform/auth/passwords/password-rules";
import { env } from "@/lib/platform/env/env";
import { entryBase, recordHistory, recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { Accept } from "@/lib/team/model/requests";

/** What the invitation of this token, or the newest to the signed-in person, offers. Throws `not_found`. */
export async function readOffer(token: string | undefined): Promise<Offer> {
  const { row, partnerName } = await findInvitation({ token });
  const state = await stateOf(db(), row);
  if (state !== "open") return { state };
  return {
    state,
    id: row.id,
    partner: partnerName,
    role: row.role,
    email: row.email,
    name: row.name,
    invitedBy: await inviterName(row),
    expiresAt: new Date(row.expires_at).toISOString(),
    you: viewerRelation(row.email, await currentViewer()),
  };
}

async function inviterName({ partner_id, invited_by_id }: InvitationRow): Promise<string | null> {
  return invited_by_id && (await distinctNames(db(), partner_id, [invited_by_id]))(invited_by_id);
}

type FoundInvitation = { row: InvitationRow; partnerName: string };

/**
 * The invitation of this token. A signed-in person, whose address is verified, needs no token: finds theirs with this
 * id, or the newest. Throws `not_found`, also for a suspended partner: nobody can join it.
 */
async function findInvitation({
  token,
  id,
}: Pick<Accept, "token" | "id">): Promise<FoundInvitation> {
  const viewer = token === undefined ? await currentViewer() : null;
  const open = viewer ? await openInvitationsTo(db(), viewer.invitedAs) : [];
  const own = open.find((row) => id === undefined || row.id === id);
  const row = await db()
    .selectFrom("invitations")
    .innerJoin("partners", "partners.id", "invitations.partner_id")
    .selectAll("invitations")
    .select("partners.name as partnerName")
    .where("token_hash", "=", token === undefined ? (own?.token_hash ?? "") : hashOf(token))
    .where("partners.suspended_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  const { partnerName, ...invitation } = row;
  return { row: invitation, partnerName };
}

/** `revoked`: also where the inviting person could not invite any more. */
async function stateOf(executor: Executor, row: InvitationRow): Promise<Offer["state"]> {
  if (row.accepted_at !== null) return "used";
  if (row.revoked_at !== null) return "revoked";
  if (row.expires_at <= databaseTime()) return "expired";
  return (await inviterOf(executor, row)) === null ? "revoked" : "open";
}

/** The inviting person's right to invite; null: not any more. */
function inviterOf(executor: Executor, row: InvitationRow) {
  const { partner_id: partnerId, invited_by_id: makerId } = row;
  return rightToInvite(executor, { makerId, partnerId });
}

type ViewerRelation = Extract<Offer, { state: "open" }>["you"];

/** Only the invited address may accept, whoever has the link. */
function viewerRelation(email: string, viewer: Viewer | null): ViewerRelation {
  if (!viewer) return "signed_out";
  if (viewer.invitedAs !== email) return "other";
  // Support sees partners only with a reason, operators not at all; neither may write.
  return viewer.staffRole ? "staff" : "invited";
}

/**
 * Makes the invited person a member, once: of concurrent attempts one succeeds. Signs in a person who has an account; a
 * new one gets an account, with the password that they chose. Throws `not_found`, `invitation_over` with its state,
 * `forbidden` for somebody else and for staff, `invalid_fields` (`has_account` at `person` where the address has one,
 * checked last: probing for that takes a request that could create the account, and is limited), or
 * `too_many_requests`.
 */
export async function acceptInvitation(
  request: Accept,
  context: RequestContext,
): Promise<Accepted> {
  const { row } = await findInvitation(request);
  const state = await stateOf(db(), row);
  if (state !== "open") throw invitationOver(state);
  const viewer = await currentViewer();
  switch (viewerRelation(row.email, viewer)) {
    case "invited":
      if (viewer) await join(row, { kind: "known", id: viewer.id, name: viewer.name }, context);
      break;
    case "signed_out":
      await join(row, await newPerson(row, request.person, context), context);
      break;
    default:
      throw new ProblemError("forbidden", { applied: "no" });
  }
  const [environment = ""] = env().environments.keys();
  return { email: row.email, path: `/partners/${row.partner_id}/${environment}/webhooks` };
}

type Person =
  | { kind: "known"; id: string; name: string }
  | { kind: "new"; id: string; name: string; passwordHash: string };

/** Hashes no password for an address that has an account. */
async function newPerson(
  row: InvitationRow,
  typed: Accept["person"],
  { clientAddress, requestId }: RequestContext,
): Promise<Person> {
  if (!typed) throw fieldRefused("person", "required");
  const { name, password } = typed;
  if (isNameTaken(name, await namesTaken(db(), [row.partner_id])))
    throw fieldRefused("person.name", "name_taken");
  const fault = passwordFault(password, { email: row.email, name });
  if (fault) throw fieldRefused("person.password", fault);
  const counted = await countLinkUse(db(), row.id, clientAddress);
  const account = db().selectFrom("users").select("id").where("email", "=", row.email);
  if (await account.executeTakeFirst()) {
    log.warn({ requestId, clientAddress, invitationId: row.id }, "an invitation asks to sign in");
    throw fieldRefused("person", "has_account");
  }
  const passwordHash = await hashPassword(password, counted);
  return { kind: "new", id: randomUUID(), name, passwordHash };
}

function invitationOver(state: Offer["state"]): ProblemError {
  return new ProblemError("invitation_over", { applied: "no", extra: { state } });
}

async function join(row: InvitationRow, person: Person, context: RequestContext): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      const inviter = await consume(trx, row);
      if (person.kind === "new") await addUser(trx, row, person);
      else await refuseStaff(trx, person.id);
      const joined = await trx
        .insertInto("memberships")
        .values({
          partner_id: row.partner_id,
          user_id: person.id,
          role: row.role,
          created_at: databaseTime(),
        })
        // A person who became a member meanwhile keeps that role.
        .onConflict((conflict) => conflict.columns(["partner_id", "user_id"]).doNothing())
        .executeTakeFirst();
      const isNew = joined.numInsertedOrUpdatedRows === 1n;
      const role = isNew ? row.role : await roleOf(trx, row.partner_id, person.id);
      if (isNew && inviter === "admin" && row.invited_by_id !== null)
        await recordAccessGrant(trx, row.partner_id, { userId: person.id, by: row.invited_by_id });
      await recordHistory(trx, {
        ...entryBase({ partner: { id: row.partner_id }, viewer: person }, context),
        kind: "invitation_accepted",
        detail: {
          invitationId: row.id,
          email: row.email,
          role,
          userId: person.id,
          ...(!isNew && { already: true as const }),
        },
      });
      if (person.kind === "new")
        await recordPerson(trx, {
          who: person,
          kind: "account_created",
          clientAddress: context.clientAddress,
          requestId: context.requestId,
          outcome: null,
          detail: { userId: person.id, name: person.name, email: row.email },
        });
    });
}

async function roleOf(
  trx: Transaction<Database>,
  partnerId: string,
  userId: string,
): Promise<PartnerRole> {
  const { role } = await trx
    .selectFrom("memberships")
    .select("role")
    .where("partner_id", "=", partnerId)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return role;
}

/** Of concurrent attempts, one succeeds here. Returns the inviting person's right to invite. */
async function consume(
  trx: Transaction<Database>,
  invitation: InvitationRow,
): Promise<NonNullable<Awaited<ReturnType<typeof rightToInvite>>>> {
  const { id } = invitation;
  const now = databaseTime();
  const consumed = await trx
    .updateTable("invitations")
    .set({ accepted_at: now })
    .where("id", "=", id)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (consumed.numUpdatedRows !== 1n) {
    const query = trx.selectFrom("invitations").selectAll().where("id", "=", id);
    throw invitationOver(await stateOf(trx, await query.executeTakeFirstOrThrow()));
  }
  const inviter = await inviterOf(trx, invitation);
  if (inviter === null) throw invitationOver("revoked");
  return inviter;
}

/**
 * Throws `forbidden` for a person whom single sign-on made staff meanwhile. Locks the person, so that neither misses
 * the other.
 */
async function refuseStaff(trx: Transaction<Database>, userId: string): Promise<void> {
  const { staff_role } = await lockPerson(trx, userId);
  if (staff_role !== null) throw new ProblemError("forbidden", { applied: "no" });
}

/** Throws `invalid_fields` where the address has an account: its password must not be set from here. */
async function addUser(
  trx: Transaction<Database>,
  { email }: InvitationRow,
  { id, name, passwordHash }: Extract<Person, { kind: "new" }>,
): Promise<void> {
  const added = await trx
    .insertInto("users")
    .values({
      id,
      email,
      name,
      password_hash: passwordHash,
      staff_role: null,
      disabled_at: null,
      created_at: databaseTime(),
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw fieldRefused("person", "has_account");
}
