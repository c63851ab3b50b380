import "server-only";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { alertRules, type Alert } from "@/lib/alerts/model/alert";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";

/** The operators' webhook; a delivery to a person has their id here. */
const operatorsWebhook = "@operators";

/** Before the id of an alert address, where that is the recipient. */
export const toAddress = "address:";

/**
 * Enqueues an alert for the people it concerns, if and only if the caller's transaction commits: a mail to each person,
 * where mail is set up, and a call of the operators' webhook, where there is one. Recipients and their settings are
 * decided now: a person who is removed right afterwards still gets it. Sending is left to the reader.
 *
 * `once`: a second alert with the same key is dropped, for 30 days after the first was sent (`keepKeyMs` of send.ts).
 * For findings that several processes may make at the same time, or one process again. Must differ for each occurrence,
 * as `service_failing:production:1763800000000` does. At most 200 characters.
 */
export async function enqueueAlert(
  trx: Transaction<Database>,
  alert: Alert,
  { once = null }: { once?: string | null } = {},
): Promise<void> {
  const { mail, alertsWebhook } = env();
  const people = mail ? await recipientsOf(trx, alert) : [];
  const to = [
    ...[...people, ...(mail ? await addressesFor(trx, alert) : [])].map((recipient) => ({
      recipient,
      channel: "mail" as const,
    })),
    ...(alertsWebhook ? [{ recipient: operatorsWebhook, channel: "webhook" as const }] : []),
  ];
  if (to.length === 0) return;
  const now = databaseTime();
  const { kind, ...data } = alert;
  const what = { kind, data_json: JSON.stringify(data), once_key: once };
  await trx
    .insertInto("alert_deliveries")
    .values(
      to.map(({ recipient, channel }) => ({
        ...what,
        id: randomUUID(),
        recipient,
        channel,
        created_at: now,
        state: "waiting" as const,
        due_at: now,
        attempts: 0,
      })),
    )
    .onConflict((conflict) => conflict.columns(["once_key", "recipient"]).doNothing())
    .execute();
}

/** Their ids, without people who lost access or do not want the alert. */
async function recipientsOf(trx: Transaction<Database>, alert: Alert): Promise<string[]> {
  const { choice } = alertRules[alert.kind];
  // Includes people who lost their access: they should learn what is done to their account.
  if ("userId" in alert) return [alert.userId];
  const ids = await audienceOf(trx, alert);
  if (choice === null || ids.length === 0) return ids;
  const off = await trx
    .selectFrom("alerts_off")
    .select("user_id")
    .where("choice", "=", choice)
    .where("user_id", "in", ids)
    .execute();
  return ids.filter((id) => !off.some(({ user_id }) => user_id === id));
}

/** Alert addresses that are confirmed, for what admins get about a partner's webhooks. */
async function addressesFor(trx: Transaction<Database>, alert: Alert): Promise<string[]> {
  if (!("partnerId" in alert && "environment" in alert)) return [];
  const rows = await trx
    .selectFrom("alert_addresses")
    .select("id")
    .where("partner_id", "=", alert.partnerId)
    .where("confirmed_at", "is not", null)
    .execute();
  return rows.map(({ id }) => `${toAddress}${id}`);
}

async function audienceOf(
  trx: Transaction<Database>,
  alert: Exclude<Alert, { userId: string }>,
): Promise<string[]> {
  if (!("partnerId" in alert)) {
    const operators = await trx
      .selectFrom("users")
      .select("id")
      .where("staff_role", "=", "operator")
      .where("disabled_at", "is", null)
      .execute();
    return operators.map(({ id }) => id);
  }
  const members = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "role"])
    .where("partner_id", "=", alert.partnerId)
    .where("users.disabled_at", "is", null)
    .execute();
  const isConcerned = ({ id, role }: (typeof members)[number]) => {
    if (alert.kind === "admin_added" && alert.memberId === id) return false;
    if (alert.kind === "approval_decided" && alert.author.id === id) return true;
    if (alert.kind === "admin_removed" && alert.memberId === id) return true;
    return role === "admin" || alertRules[alert.kind].to === "members";
  };
  const ids = members.filter(isConcerned).map(({ id }) => id);
  // A removed person is no member any more, but may be the only one to object.
  if (alert.kind === "admin_removed" && !ids.includes(alert.memberId)) ids.push(alert.memberId);
  return ids;
}
