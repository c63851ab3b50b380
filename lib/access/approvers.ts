import "server-only";
import type { Executor } from "@/lib/db/open";
import { may, type PartnerRole } from "./roles";

/** Somebody who may approve changes of this partner, at the moment of asking. */
export type Approver = { id: string; name: string; role: PartnerRole; voucher: string };

/** Those who can sign in, and may propose and approve. Takes the partner's id on trust. */
export async function approversOf(executor: Executor, partnerId: string): Promise<Approver[]> {
  const rows = await executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name", "role", "vouched_by"])
    .where("partner_id", "=", partnerId)
    .where("users.disabled_at", "is", null)
    .orderBy("users.name")
    .execute();
  return rows
    .filter(({ role }) => may(role, "webhooks.approve"))
    .map(({ vouched_by, ...row }) => ({ ...row, voucher: vouched_by ?? row.id }));
}

/**
 * Whether they count as two people: neither is there on the other's word, nor both on that of a third. Else one admin
 * could invite a second account of their own and approve with it.
 */
export function areTwoPeople(one: Approver, other: Approver): boolean {
  return one.id !== other.id && one.voucher !== other.voucher;
}

/** On whose word those stand who are let in by this person: the one that the person stands on. */
export async function voucherOf(
  executor: Executor,
  partnerId: string,
  userId: string,
): Promise<string> {
  const row = await executor
    .selectFrom("memberships")
    .select("vouched_by")
    .where("partner_id", "=", partnerId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.vouched_by ?? userId;
}

/** Whether production addresses of this partner take two people. */
export async function takesTwo(executor: Executor, partnerId: string): Promise<boolean> {
  const row = await executor
    .selectFrom("four_eyes")
    .select("since")
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();
  return row !== undefined;
}
