import "server-only";
import { namesAmong } from "@/lib/platform/auth/person-names";
import type { Executor } from "@/lib/platform/database/open";
import { may, type PartnerRole } from "@/lib/platform/access/model/roles";

/**
 * A person who may approve changes of this partner now. `lineage`: this person and everybody who admitted them, directly
 * or not.
 */
export type Approver = {
  id: string;
  name: string;
  role: PartnerRole;
  lineage: ReadonlySet<string>;
};

/** People who can sign in, and may propose and approve. Checks no access. */
export async function approversOf(executor: Executor, partnerId: string): Promise<Approver[]> {
  const rows = await executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name", "users.email", "role"])
    .where("partner_id", "=", partnerId)
    .where("users.disabled_at", "is", null)
    .orderBy("users.name")
    .execute();
  const lineageOf = await lineagesIn(executor, partnerId);
  const nameOf = namesAmong(rows);
  return rows
    .filter((row) => may(row.role, "webhooks.approve"))
    .map(({ id, name, role }) => ({
      id,
      name: nameOf({ id, name }),
      role,
      lineage: lineageOf(id),
    }));
}

/**
 * Whether they count as two people: neither admitted the other, and no third person admitted both, directly or not.
 * Else one admin could invite a second account and approve with it.
 */
export function areIndependent(one: Approver, other: Approver): boolean {
  return ![...one.lineage].some((id) => other.lineage.has(id));
}

/** Who made a proposal, among these people; undefined where they are no longer among them. */
export function authorAmong(
  people: readonly Approver[],
  { author_id: id }: { author_id: string },
): Approver | undefined {
  return people.find((person) => person.id === id);
}

async function lineagesIn(
  executor: Executor,
  partnerId: string,
): Promise<(id: string) => ReadonlySet<string>> {
  const grants = await executor
    .selectFrom("access_grants")
    .select(["user_id", "by_user_id"])
    .where("partner_id", "=", partnerId)
    .execute();
  return (id) => {
    const lineage = new Set([id]);
    // The loop also comes to those whom it adds.
    for (const one of lineage)
      for (const grant of grants) if (grant.user_id === one) lineage.add(grant.by_user_id);
    return lineage;
  };
}

/** Records that one person let the other write here. */
export async function recordAccessGrant(
  executor: Executor,
  partnerId: string,
  { userId, by }: { userId: string; by: string },
): Promise<void> {
  await executor
    .insertInto("access_grants")
    .values({ partner_id: partnerId, user_id: userId, by_user_id: by })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether a change of this partner's production addresses needs a second person. */
export async function requiresFourEyes(executor: Executor, partnerId: string): Promise<boolean> {
  const row = await executor
    .selectFrom("partners")
    .select("four_eyes_since")
    .where("id", "=", partnerId)
    .executeTakeFirst();
  return row !== undefined && row.four_eyes_since !== null;
}
