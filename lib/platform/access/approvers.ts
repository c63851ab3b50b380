import "server-only";
import { namesAmong } from "@/lib/platform/auth/person-names";
import type { Executor } from "@/lib/platform/database/open";
import { may, type PartnerRole } from "@/lib/platform/access/model/roles";

/**
 * A person who may approve changes of this partner now. `group`: the same for all people who admitted one another,
 * directly or not.
 */
export type Approver = {
  id: string;
  name: string;
  role: PartnerRole;
  group: string;
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
  const groupOf = await groupsIn(executor, partnerId);
  const nameOf = namesAmong(rows);
  return rows
    .filter((row) => may(row.role, "webhooks.approve"))
    .map(({ id, name, role }) => ({
      id,
      name: nameOf({ id, name }),
      role,
      group: groupOf(id),
    }));
}

/**
 * Whether they count as two people: neither admitted the other, and no third person admitted both, directly or not.
 * Else one admin could invite a second account and approve with it.
 */
export function areIndependent(one: Approver, other: Approver): boolean {
  return one.id !== other.id && one.group !== other.group;
}

/** Who made a proposal, among these people; undefined where they are no longer among them. */
export function authorAmong(
  people: readonly Approver[],
  { author_id: id }: { author_id: string },
): Approver | undefined {
  return people.find((person) => person.id === id);
}

/** Names the group of each person by one of its people. */
async function groupsIn(executor: Executor, partnerId: string): Promise<(id: string) => string> {
  const grants = await executor
    .selectFrom("access_grants")
    .select(["user_id", "by_user_id"])
    .where("partner_id", "=", partnerId)
    .execute();
  const above = new Map<string, string>();
  const groupOf = (id: string): string => {
    const next = above.get(id);
    return next === undefined ? id : groupOf(next);
  };
  for (const { user_id, by_user_id } of grants) {
    const [one, other] = [groupOf(user_id), groupOf(by_user_id)];
    if (one !== other) above.set(one, other);
  }
  return groupOf;
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
