import "server-only";
import { byNobody, recordHistory, type EntryOrigin } from "@/lib/history/server/record/record";
import { endAlertAddresses } from "@/lib/platform/auth/end-alert-addresses";
import { revokeInvitations } from "@/lib/platform/auth/right-to-invite";
import type { Executor } from "@/lib/platform/database/open";
import { lockPartner } from "@/lib/platform/database/row-locks";
import type { Database } from "@/lib/platform/database/tables";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { Transaction } from "kysely";
import type { ClaimedPartners, PartnerRole } from "./claims";

type Person = { id: string; name: string; email: string };

/** The partners of these ids that exist, in the order in which everybody locks them. */
export async function existingPartners(
  db: Executor,
  claimed: ClaimedPartners,
): Promise<{ id: string; role: PartnerRole }[]> {
  if (claimed.size === 0) return [];
  const rows = await db
    .selectFrom("partners")
    .select("id")
    .where("id", "in", [...claimed.keys()])
    .execute();
  return rows.flatMap(({ id }) => {
    const role = claimed.get(id);
    return role === undefined ? [] : [{ id, role }];
  });
}

/**
 * Gives the person the memberships that the claim names, and takes those that it gave before and names no longer, also
 * from a partner's only admin: the provider says who works there. What an invitation gave stays, unless the claim names
 * that partner: from then on it decides there. Returns whether the person lost anything. The caller holds the person's
 * lock.
 */
export async function applyClaimedPartners(
  trx: Transaction<Database>,
  person: Person,
  claimed: ClaimedPartners,
  origin: EntryOrigin,
): Promise<boolean> {
  const named = new Map((await existingPartners(trx, claimed)).map(({ id, role }) => [id, role]));
  const before = await trx
    .selectFrom("memberships")
    .select(["partner_id", "managed"])
    .where("user_id", "=", person.id)
    .execute();
  const given = before.filter(({ managed }) => managed === 1).map((row) => row.partner_id);
  let lost = false;
  // Always in the same order, so that two sign-ins cannot deadlock.
  for (const partnerId of [...new Set([...named.keys(), ...given])].sort())
    if (await applyTo(trx, person, { partnerId, role: named.get(partnerId) ?? null }, origin))
      lost = true;
  return lost;
}

/** Returns whether the person lost a right there. */
async function applyTo(
  trx: Transaction<Database>,
  { id, name, email }: Person,
  { partnerId, role: after }: { partnerId: string; role: PartnerRole | null },
  { requestId, clientAddress }: EntryOrigin,
): Promise<boolean> {
  await lockPartner(trx, partnerId);
  const ofThem = { partner_id: partnerId, user_id: id };
  const row = await trx
    .selectFrom("memberships")
    .select(["role", "managed"])
    .where((eb) => eb.and(ofThem))
    .executeTakeFirst();
  const before = row?.role ?? null;
  if (after === null)
    await trx
      .deleteFrom("memberships")
      .where((eb) => eb.and(ofThem))
      .execute();
  else
    await trx
      .insertInto("memberships")
      .values({ ...ofThem, role: after, managed: 1, created_at: databaseTime() })
      .onConflict((conflict) =>
        conflict.columns(["partner_id", "user_id"]).doUpdateSet({ role: after, managed: 1 }),
      )
      .execute();
  if (before === after && row?.managed === 1) return false;
  // Otherwise an admin about to lose the role could leave a way back in.
  if (before === "admin" && after !== "admin") {
    const origin = { requestId, clientAddress };
    const made = { partner_id: partnerId, invited_by_id: id };
    await revokeInvitations(trx, made, "provider", origin);
    await endAlertAddresses(trx, { partner_id: partnerId, address: email }, null, origin);
  }
  await recordHistory(trx, {
    ...byNobody,
    requestId,
    partnerId,
    kind: "membership_claimed",
    detail: { userId: id, name, email, before, after },
  });
  if (before === null || before === after) return false;
  return after === null || before === "admin" || after === "viewer";
}
