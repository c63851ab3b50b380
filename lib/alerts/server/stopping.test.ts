import { aDelivery } from "@/lib/alerts/testing/outbox";
import { insert } from "@/lib/platform/database/testing/rows";
import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { startMailServer, type MailServer } from "@/lib/tools/mail-server";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { beginStopping } from "@/lib/platform/runtime/in-flight";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sendDue } from "./send";

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  await configure({ SMTP_URL: mail.url, MAIL_FROM: "gancho@example.com" });
  await insertUser(db(), { id: "ana" });
});
afterAll(() => db().destroy());
beforeEach(async () => {
  const of = { recipient: "ana", data_json: '{"userId":"ana"}' };
  const waiting = { kind: "password_changed", ...of } as const;
  await db().deleteFrom("alert_deliveries").execute();
  await insert("alert_deliveries", ...Array.from({ length: 20 }, () => aDelivery(waiting)));
});

it("a process that is no longer elected begins no other delivery (threat: two processes send the same)", async () => {
  let turns = 0;
  await sendDue("mail", async () => ++turns <= 5);
  // One turn is the query's.
  expect(mail.mails.splice(0)).toHaveLength(4);
});

it("a stopping process finishes its current delivery, and leaves the rest to others", async () => {
  mail.manner = "hold";
  const sending = sendDue("mail", async () => true);
  await expect.poll(() => mail.mails).toHaveLength(4);
  beginStopping();
  // The server stops: the current delivery fails, and no other begins.
  await mail.close();
  await sending;
  await sendDue("mail", async () => true);
  const rows = await db().selectFrom("alert_deliveries").select(["state", "attempts"]).execute();
  expect(rows.filter(({ state }) => state === "waiting")).toHaveLength(20);
  expect(rows.filter(({ attempts }) => attempts > 0)).toHaveLength(4);
});
