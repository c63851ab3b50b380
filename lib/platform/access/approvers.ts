import "server-only";
import { namesAmong } from "@/lib/platform/auth/person-names";
import type { Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
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
  return (await approversIn(executor, [partnerId]))(partnerId);
}

/** The same of several partners at once; null: of all. */
async function approversIn(
  executor: Executor,
  partnerIds: readonly string[] | null,
): Promise<(partnerId: string) => Approver[]> {
  const rows = await executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["partner_id", "users.id", "users.name", "users.email", "role"])
    .$if(partnerIds !== null, (query) => query.where("partner_id", "in", partnerIds ?? []))
    .where("users.disabled_at", "is", null)
    .orderBy("users.name")
    .execute();
  const grants = await executor
    .selectFrom("access_grants")
    .select(["partner_id", "user_id", "by_user_id"])
    .$if(partnerIds !== null, (query) => query.where("partner_id", "in", partnerIds ?? []))
    .execute();
  const membersOf = byPartner(rows);
  const grantsOf = byPartner(grants);
  return (id) => {
    const members = membersOf.get(id) ?? [];
    const lineageOf = lineagesIn(grantsOf.get(id) ?? []);
    const nameOf = namesAmong(members);
    return members
      .filter((row) => may(row.role, "webhooks.approve"))
      .map((row) => ({
        id: row.id,
        name: nameOf(row),
        role: row.role,
        lineage: lineageOf(row.id),
      }));
  };
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

function byPartner<Row extends { partner_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.partner_id);
    if (group) group.push(row);
    else groups.set(row.partner_id, [row]);
  }
  return groups;
}

function lineagesIn(
  grants: readonly { user_id: string; by_user_id: string }[],
): (id: string) => ReadonlySet<string> {
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

/** Whether some two of these people count as two: without them, nobody can approve anything. */
export function haveSecondPerson(people: readonly Approver[]): boolean {
  return people.some((one) => people.some((other) => areIndependent(one, other)));
}

/** Those of these partners (null: of all) in which no two people count as two. */
export async function withoutSecondPerson(
  executor: Executor,
  partnerIds: readonly string[] | null,
): Promise<string[]> {
  const ids =
    partnerIds ??
    (await executor.selectFrom("partners").select("id").execute()).map(({ id }) => id);
  const peopleOf = await approversIn(executor, partnerIds);
  return ids.filter((id) => !haveSecondPerson(peopleOf(id)));
}

/** Whether a change of this partner's production addresses needs a second person. */
export async function requiresFourEyes(executor: Executor, partnerId: string): Promise<boolean> {
  if (env().requireFourEyes) return true;
  const row = await executor
    .selectFrom("partners")
    .select("four_eyes_since")
    .where("id", "=", partnerId)
    .executeTakeFirst();
  return row !== undefined && row.four_eyes_since !== null;
}
