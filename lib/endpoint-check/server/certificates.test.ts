import { db } from "@/lib/platform/database/open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { denyList } from "@/lib/platform/egress/address";
import type { EgressRules } from "@/lib/platform/egress/egress";
import { startReceivers } from "@/lib/platform/egress/testing/receivers";
import { pruneDeliveries } from "@/lib/alerts/server/send";
import { insertPartner } from "@/lib/partners/server/create-partner";
import { randomBytes } from "node:crypto";
import net from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkDueCertificates } from "./certificates";

const receivers = startReceivers();
const day = 24 * 60 * 60_000;
const start = Date.now();
const rules = async (): Promise<EgressRules> => ({
  deny: denyList([]),
  proxy: null,
  loopbackPort: null,
  ca: receivers.ca,
  resolve: async () => ["203.0.114.7"],
  dial: ({ port }) => net.connect({ host: "127.0.0.1", port }),
  limits: { connectMs: 1_500 },
});

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await migratedDatabaseUrl(),
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    PARTNER_API_ENVIRONMENTS: "production=http://127.0.0.1:1",
    ALERTS_URL: "http://127.0.0.1:9/alerts",
    ALERTS_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
  });
});
afterAll(async () => {
  await receivers.close();
  await db().destroy();
});

async function partnerAt(id: string, hosts: { in: string | null; out: string | null }) {
  await db()
    .transaction()
    .execute((trx) => insertPartner(trx, { id, name: id }));
  await db()
    .insertInto("partner_overviews")
    .values({
      partner_id: id,
      environment: "production",
      confirmed: 1 as const,
      pix_in_host: hosts.in,
      pix_out_host: hosts.out,
      without_authorization: "",
      fault_code: null,
      fault_request_id: null,
      failing_since: null,
      base_url: null,
      client_id: null,
    })
    .execute();
}

const reported = async () => {
  const rows = await db()
    .selectFrom("alert_deliveries")
    .select(["id", "kind", "data_json"])
    .orderBy("created_at")
    .execute();
  return rows.map(({ data_json, ...row }) => ({ ...row, ...(JSON.parse(data_json) as object) }));
};

it("checks each host once a day, sends nothing, and warns each partner once before the end", async () => {
  const soon = receivers.authority.issue({ names: ["*.example.com"], toDay: 20.5 });
  const expiring = await receivers.receiver((_got, r) => r.end(), { certificate: soon });
  const fine = await receivers.enforcing("");
  const ended = receivers.authority.issue({ names: ["*.example.com"], fromDay: -9, toDay: -1 });
  const expired = await receivers.receiver((_got, r) => r.end(), { certificate: ended });
  const host = `hooks.example.com:${expiring.port}`;
  await partnerAt("aurora", { in: host, out: `fine.example.com:${fine.port}` });
  await partnerAt("mercado", { in: `late.example.com:${expired.port}`, out: host });
  await partnerAt("tiete", { in: "no host at all", out: null });

  // Two at once: one of them checks each host.
  const both = await Promise.all([1, 2].map(() => checkDueCertificates(start, rules)));
  expect(both.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect([expiring, fine, expired].map((each) => each.connections())).toEqual([1, 1, 1]);
  expect([...expiring.got, ...fine.got, ...expired.got]).toEqual([]);
  const seen = await db()
    .selectFrom("endpoint_certificates")
    .select(["host", "failure"])
    .orderBy("host")
    .execute();
  expect(Object.fromEntries(seen.map((each) => [each.host, each.failure]))).toEqual({
    [host]: null,
    [`fine.example.com:${fine.port}`]: null,
    [`late.example.com:${expired.port}`]: "certificate_expired",
    "no host at all": "bad_address",
  });
  const first = await reported();
  expect(first).toHaveLength(2);
  for (const alert of first)
    expect(alert).toMatchObject({ kind: "certificate_expires", host, days: 20 });

  // Not again on that day, and nothing new on the next.
  expect(await checkDueCertificates(start + 0.5 * day, rules)).toBe(0);
  expect(await checkDueCertificates(start + 1.1 * day, rules)).toBe(4);
  expect(await reported()).toHaveLength(2);
  // A week before, and on the last day.
  await checkDueCertificates(start + 14 * day, rules);
  await checkDueCertificates(start + 16 * day, rules);
  await checkDueCertificates(start + 19.6 * day, rules);
  const days = (await reported()).map((alert) => (alert as unknown as { days: number }).days);
  expect(days.sort()).toEqual([0, 0, 20, 20, 6, 6]);
});

it("gives each warning once for a certificate, also after what was sent is pruned", async () => {
  const certificate = receivers.authority.issue({ names: ["*.example.com"], toDay: 20.5 });
  const receiver = await receivers.receiver((_got, r) => r.end(), { certificate });
  const host = `once.example.com:${receiver.port}`;
  await partnerAt("tatui", { in: host, out: null });
  const given = new Map<string, unknown>();
  for (let days = 0; days < 20; days += 1) {
    const now = start + days * day;
    await checkDueCertificates(now, rules);
    for (const { id, ...alert } of await reported())
      if ("host" in alert && alert.host === host) given.set(id, "days" in alert && alert.days);
    await db()
      .updateTable("alert_deliveries")
      .set({ state: "sent", ended_at: now })
      .where("state", "=", "waiting")
      .execute();
    await pruneDeliveries(now);
  }
  expect([...given.values()]).toEqual([20, 7, 1]);
});

it("forgets hosts that nobody has registered for a month (threat: somebody fills the table by flipping a callback at the service)", async () => {
  await db()
    .insertInto("endpoint_certificates")
    .values(
      [29, 31].map((days) => ({
        host: `gone-${days}.example.com`,
        due_at: start - days * day,
        seen_at: 1,
        valid_to: null,
        failure: null,
      })),
    )
    .execute();
  await checkDueCertificates(start, rules);
  const left = await db()
    .selectFrom("endpoint_certificates")
    .select("host")
    .where("host", "like", "gone-%")
    .execute();
  expect(left.map(({ host }) => host)).toEqual(["gone-29.example.com"]);
});
