import { aDelivery } from "@/lib/alerts/testing/outbox";
import { insert } from "@/lib/platform/database/testing/rows";
import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { startMailServer } from "@/lib/tools/mail-server";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { beginStopping } from "@/lib/platform/runtime/in-flight";
import { expect, it } from "vitest";
import { sendDue } from "./send";

it("a stopping process finishes its current delivery, and leaves the rest to others", async () => {
  const mail = await startMailServer();
  await configure({ SMTP_URL: mail.url, MAIL_FROM: "gancho@example.com" });
  await insertUser(db(), { id: "ana" });
  const of = { recipient: "ana", data_json: '{"userId":"ana"}' };
  const waiting = { kind: "password_changed", ...of } as const;
  await insert("alert_deliveries", ...Array.from({ length: 20 }, () => aDelivery(waiting)));

  mail.manner = "hold";
  const sending = sendDue("mail");
  await expect.poll(() => mail.mails).toHaveLength(4);
  beginStopping();
  // The server stops: the current delivery fails, and no other begins.
  await mail.close();
  await sending;
  await sendDue("mail");
  const rows = await db().selectFrom("alert_deliveries").select(["state", "attempts"]).execute();
  expect(rows.filter(({ state }) => state === "waiting")).toHaveLength(20);
  expect(rows.filter(({ attempts }) => attempts > 0)).toHaveLength(4);
  await db().destroy();
});
