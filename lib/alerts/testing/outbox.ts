import type { Database } from "@/lib/platform/database/tables";
import { startMailServer, type MailServer } from "@/lib/tools/mail-server";
import type { Insertable } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { startAlertReceiver, type AlertReceiver } from "./alert-receiver";

/*
 * The mail server and, on request, the operators' webhook of a test file that calls `withMail`. Both start before its
 * world, and are empty and accept everything as each test begins.
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

/** The recipient of each mail, sorted. */
export const recipients = () => mail.mails.map(({ to }) => to.join()).sort();

type Delivery = Insertable<Database["alert_deliveries"]>;

/** By default, a mail that is due now. */
export const aDelivery = (
  given: Pick<Delivery, "kind" | "recipient" | "data_json"> & Partial<Delivery>,
): Delivery => ({
  id: randomUUID(),
  channel: "mail",
  state: "waiting",
  attempts: 0,
  created_at: Date.now(),
  due_at: Date.now(),
  ...given,
});
