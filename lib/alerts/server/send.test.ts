import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { sendAll } from "@/lib/alerts/testing/send-all";
import type { Alert } from "@/lib/alerts/model/alert";
import { startAlertReceiver } from "@/lib/alerts/testing/alert-receiver";
import { aDelivery, mail, operators as receiver, withMail } from "@/lib/alerts/testing/outbox";
import { record } from "@/lib/history/testing/history-world";
import { inTransaction, insert as insertRow, update } from "@/lib/platform/database/testing/rows";
import { insertPartner } from "@/lib/partners/server/change-partner";
import { insertMember, insertUser } from "@/lib/webhooks/testing/rows";
import { startReaderProgram } from "@/lib/watch/testing/start-reader";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { enqueueAlert } from "./enqueue";
import { pruneDeliveries } from "./send";

const partnerId = "aurora";
const userId = "ana";

withMail("operators");
beforeAll(async () => {
  await configure({
    PARTNER_API_ENVIRONMENTS: "production=http://127.0.0.1:1",
    GANCHO_URL: "http://localhost:3000",
  });
  await inTransaction((trx) => insertPartner(trx, { id: partnerId, name: "Loja Aurora" }));
  await insertUser(db(), { id: userId, email: "ana@aurora.example", name: "Ana" });
  await insertMember(db(), partnerId, userId, "admin");
});
// Mail sent after a commit must not count in the next test.
afterEach(async () => {
  await sendAll();
  await db().deleteFrom("alert_deliveries").execute();
});

const since = Date.UTC(2026, 10, 22, 2, 30);
const failing: Alert = {
  kind: "connection_failing",
  partnerId,
  environment: "production",
  since,
  problem: "upstream_timeout",
};

const commit = (alert = failing, once: string | null = null) =>
  inTransaction((trx) => enqueueAlert(trx, alert, { once }));

async function raise(): Promise<void> {
  await commit();
  await sendAll();
}

const rows = () => db().selectFrom("alert_deliveries").selectAll().orderBy("channel").execute();
const states = async () =>
  (await rows()).map(({ channel, state, attempts }) => [channel, state, attempts]);
/** The due time of waiting deliveries, and just after it. */
const whenDue = async () =>
  Math.max(...(await rows()).map(({ due_at }) => (due_at > 0 ? due_at : 0))) + 1;
const idsOfMails = () =>
  mail.mails.map(({ source }) => /^Message-ID: <(.+)@localhost>$/im.exec(source)?.[1]);

describe("an alert", () => {
  it("is sent once the transaction is committed, to each recipient by their channel, under the delivery's id", async () => {
    await raise();
    const [mailed, posted] = await rows();
    expect(await states()).toEqual([
      ["mail", "sent", 1],
      ["webhook", "sent", 1],
    ]);
    expect(idsOfMails()).toEqual([mailed?.id]);
    expect(mail.mails[0]?.source).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(receiver.received.map(({ id, payload }) => [id, payload])).toEqual([
      [
        posted?.id,
        {
          type: "connection_failing",
          timestamp: new Date(posted?.created_at ?? 0).toISOString(),
          data: {
            partnerId,
            partnerName: "Loja Aurora",
            environment: "production",
            since: "2026-11-22T02:30:00.000Z",
            problem: "upstream_timeout",
            link: "http://localhost:3000/partners/aurora/production/connection",
          },
        },
      ],
    ]);
    expect(receiver.refused).toEqual([]);
  });

  it("is not sent where the transaction is rolled back (threat: an alert about something that never happened)", async () => {
    const failed = inTransaction(async (trx) => {
      await enqueueAlert(trx, failing);
      throw new Error("made up");
    });
    await expect(failed).rejects.toThrow("made up");
    await sendAll();
    expect([await rows(), mail.mails, receiver.received]).toEqual([[], [], []]);
  });

  it("is sent once where several processes raise it at the same time", async () => {
    await Promise.all([commit(failing, "x:1"), commit(failing, "x:1"), commit(failing, "x:1")]);
    await commit(failing, "x:2");
    await sendAll();
    expect([mail.mails.length, receiver.received.length]).toEqual([2, 2]);
  });

  it("of a revealed value contains neither it nor its fingerprint (threat: a secret in a mail or at the operators')", async () => {
    const revealed = {
      ...({ partnerId, environment: "production", types: ["pix_in"], requestId: "q" } as const),
      actor: { id: userId, name: "Ana", clientAddress: null },
      ...({ kind: "authorization_reveal", outcome: "revealed" } as const),
      detail: { fingerprint: "canary-fingerprint", problem: null },
    };
    await record(revealed);
    await sendAll();
    expect(receiver.received).toMatchObject([{ payload: { type: "authorization_revealed" } }]);
    expect(mail.mails).toHaveLength(1);
    const all = JSON.stringify([mail.mails, receiver.received, await rows()]);
    expect(all.replace(/=\\n/g, "")).not.toContain("canary");
    expect(all).not.toContain("in-the-address");
    expect(all).not.toContain(process.env["ALERTS_SECRET"]);
  });
});

it("of outside changes is sent twenty times an hour for one connection at most, and the last one says so (threat: mail flooding by flipping a callback)", async () => {
  const state = (host: string) => ({ callbackUrl: `https://${host}/`, fingerprint: null });
  const change = {
    ...({ type: "pix_in", outcome: "seen" } as const),
    before: state("a.example"),
    after: state("b.example"),
  };
  const seen = {
    ...({ kind: "changed_outside", outcome: "seen", types: ["pix_in"] } as const),
    partnerId,
    requestId: null,
    actor: null,
    detail: { changes: [change], lastLookedAt: 1 },
  };
  for (let n = 0; n < 23; n += 1) await record({ ...seen, environment: "flipped" });
  await record({ ...seen, environment: "other" });
  await sendAll();
  const reported = (await rows())
    .filter(({ channel }) => channel === "webhook")
    .map(({ data_json }) => JSON.parse(data_json) as { environment: string; isLast?: boolean });
  expect(reported.filter(({ environment }) => environment === "flipped")).toHaveLength(20);
  expect(reported.filter(({ isLast }) => isLast)).toHaveLength(1);
  expect(reported.filter(({ environment }) => environment === "other")).toHaveLength(1);
});

describe("an undelivered alert", () => {
  it("is tried again later under the same id, until the receiver is back", async () => {
    mail.manner = "refuse";
    receiver.status = 503;
    await raise();
    const before = await rows();
    expect(before.map(({ state, fault }) => [state, fault])).toEqual([
      ["waiting", "EENVELOPE"],
      ["waiting", "HTTP_503"],
    ]);
    await sendAll(() => Math.min(...before.map(({ due_at }) => due_at)) - 1);
    expect((await states()).map(([, , attempts]) => attempts)).toEqual([1, 1]);

    mail.manner = "take";
    receiver.status = 200;
    const later = await whenDue();
    await sendAll(() => later);
    expect(await states()).toEqual([
      ["mail", "sent", 2],
      ["webhook", "sent", 2],
    ]);
    expect(idsOfMails()).toEqual([before[0]?.id]);
    expect(receiver.received.map(({ id }) => id)).toEqual([before[1]?.id, before[1]?.id]);
  });

  it("is tried less and less often, and given up after about a day, visibly", async () => {
    mail.manner = "refuse";
    receiver.status = 500;
    await raise();
    const begun = Date.now();
    let now = begun;
    const waits: number[] = [];
    for (let at = await whenDue(); (await states()).some(([, state]) => state === "waiting");) {
      waits.push(at - now);
      now = at;
      await sendAll(() => now);
      at = await whenDue();
    }
    expect(waits.every((wait, index) => wait >= (waits[index - 1] ?? 0) - 1_000)).toBe(true);
    expect((now - begun) / 3_600_000).toBeGreaterThan(20);
    expect((now - begun) / 3_600_000).toBeLessThan(30);
    expect(await states()).toEqual([
      ["mail", "given_up", 12],
      ["webhook", "given_up", 12],
    ]);
    mail.manner = "take";
    await sendAll(() => now + 1e12);
    expect(mail.mails).toEqual([]);
  });

  it("does not follow a redirect (threat: a receiver that passes alerts on)", async () => {
    const elsewhere = await startAlertReceiver(process.env["ALERTS_SECRET"] ?? "");
    onTestFinished(() => elsewhere.close());
    Object.assign(receiver, { status: 307, location: elsewhere.url });
    await raise();
    expect(elsewhere.received).toEqual([]);
    expect((await rows())[1]).toMatchObject({ state: "waiting", fault: "HTTP_307" });
  });

  it("is due again soon where a wrong clock postponed it", async () => {
    mail.manner = "refuse";
    await raise();
    mail.manner = "take";
    await update("alert_deliveries", { due_at: Date.now() + 1e10 });
    await pruneDeliveries();
    await sendAll();
    expect(mail.mails).toHaveLength(1);
  });

  it("does not delay the others: a mail server that is down delays no webhook", async () => {
    mail.manner = "refuse";
    await Promise.all(Array.from({ length: 10 }, () => commit()));
    await sendAll();
    expect(receiver.received).toHaveLength(10);
  });
});

describe("the sender", () => {
  it("sends each alert once", async () => {
    await enqueueMany(40);
    await sendAll();
    expect(new Set(idsOfMails()).size).toBe(40);
    expect([mail.mails.length, receiver.received.length]).toEqual([40, 40]);
    expect(await states()).toEqual([
      ...Array.from({ length: 40 }, () => ["mail", "sent", 1]),
      ...Array.from({ length: 40 }, () => ["webhook", "sent", 1]),
    ]);
  });

  it("takes over from one that was killed after sending the mail and before recording that, with the same id", async () => {
    mail.manner = "hold";
    const [row] = await enqueueMany(1);
    const kill = startReaderProgram();
    await vi.waitFor(() => expect(mail.mails).toHaveLength(1), soon);
    await kill();
    mail.manner = "take";
    await sendAll();
    expect(idsOfMails()).toEqual([row?.id, row?.id]);
    expect(await states()).toContainEqual(["mail", "sent", 1]);
  });
});

describe("an ended delivery", () => {
  const day = 24 * 60 * 60_000;

  it("is deleted after a week, a given-up one after 90 days, a waiting one never", async () => {
    const ended = [
      ...[6, 8].map((days) => ["sent", days] as const),
      ...[89, 91].map((days) => ["given_up", days] as const),
      ["waiting", 400] as const,
    ];
    for (const [state, days] of ended)
      await insert({ state, ended_at: state === "waiting" ? null : Date.now() - days * day });
    await pruneDeliveries();
    const left = await rows();
    expect(left.map(({ state }) => state).sort()).toEqual(["given_up", "sent", "waiting"]);
  });

  it("is kept for 30 days where its key shows that the alert was sent", async () => {
    const ages = [29, 31];
    for (const days of ages)
      await insert({ state: "sent", ended_at: Date.now() - days * day, once_key: `key:${days}` });
    await pruneDeliveries();
    expect((await rows()).map(({ once_key }) => once_key)).toEqual(["key:29"]);
  });

  it("is given up after a time where no instance has its channel configured", async () => {
    const hour = 60 * 60_000;
    for (const hours of [71, 73])
      await insert({
        channel: "webhook",
        recipient: "@operators",
        created_at: Date.now() - hours * hour,
      });
    vi.spyOn(env(), "alertsWebhook", "get").mockReturnValue(null);
    onTestFinished(() => void vi.restoreAllMocks());
    await sendAll();
    await pruneDeliveries();
    const left = await rows();
    expect(left.map(({ state, attempts }) => [state, attempts]).sort()).toEqual([
      ["given_up", 0],
      ["waiting", 0],
    ]);
    expect(receiver.received).toEqual([]);
  });
});

async function enqueueMany(count: number) {
  for (let nth = 0; nth < count; nth += 1) {
    await insert({ channel: "mail", recipient: userId });
    await insert({ channel: "webhook", recipient: "@operators" });
  }
  return rows();
}

function insert(values: Partial<Parameters<typeof aDelivery>[0]>): Promise<void> {
  const { kind, ...data } = failing;
  const alert = { kind, data_json: JSON.stringify(data), recipient: userId };
  return insertRow("alert_deliveries", aDelivery({ ...alert, ...values }));
}

const soon = { timeout: 60_000, interval: 100 };
