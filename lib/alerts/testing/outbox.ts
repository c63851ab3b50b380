import type { Database } from "@/lib/platform/database/tables";
import { startMailServer, type MailServer } from "@/lib/tools/mail-server";
import type { Insertable } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { startAlertReceiver, type AlertReceiver } from "./alert-receiver";

/*
 * Where a test file that calls `withMail` has Gancho send mail and, where it asks for that, the operators' alerts: both
 * are there before its world, and empty and willing as each test begins.
 */
export let mail: MailServer;
export let operators: AlertReceiver;

const secret = `whsec_${randomBytes(32).toString("base64")}`;

export function withMail(also?: "operators"): void {
  beforeAll(async () => {
    mail = await startMailServer();
    Object.assign(process.env, { SMTP_URL: mail.url, MAIL_FROM: "gancho@example.com" });
    if (!also) return;
    operators = await startAlertReceiver(secret);
    Object.assign(process.env, { ALERTS_URL: operators.url, ALERTS_SECRET: secret });
  });
  afterAll(async () => {
    await mail.close();
    if (also) await operators.close();
  });
  beforeEach(() => {
    Object.assign(mail, { mails: [], manner: "take" });
    if (also) Object.assign(operators, { received: [], refused: [], status: 204, location: null });
  });
}

/** The address of each mail, in their order. */
export const recipients = () => mail.mails.map(({ to }) => to.join()).sort();

type Delivery = Insertable<Database["alert_deliveries"]>;

/** A mail that is due now, where nothing else is given. */
export const aDelivery = (
  given: Pick<Delivery, "kind" | "recipient" | "data_json"> & Partial<Delivery>,
): Delivery => ({
  id: randomUUID(),
  alert_id: randomUUID(),
  channel: "mail",
  state: "waiting",
  attempts: 0,
  created_at: Date.now(),
  due_at: Date.now(),
  ...given,
});
