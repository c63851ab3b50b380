import { copyFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import * as z from "zod";
import { startFaultyUpstream, type FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { createPartner } from "@/e2e/fixtures/partner";
import { expect } from "@/e2e/fixtures/test";
import { userIdOf } from "@/e2e/fixtures/signed-in";
import { anotherDashboard } from "@/e2e/installation/dashboard";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram } from "@/e2e/installation/program";
import { root } from "@/lib/cli/root";
import { db } from "@/lib/platform/database/open";
import { faultyNetwork, type FaultyNetwork } from "@/lib/platform/database/testing/faulty-network";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { insert } from "@/lib/platform/database/testing/rows";
import { startMailServer, type MailServer } from "@/lib/tools/mail-server";
import { test as base } from "@playwright/test";

/** An instance that Prometheus watches with the rules of deploy/prometheus, at the intervals that they name. */
type Watched = {
  network: FaultyNetwork;
  upstream: FaultyUpstream;
  mail: MailServer;
  /** Names of the alerts that fire. */
  firing: () => Promise<string[]>;
};

const answer = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string() }) })),
  }),
});

const test = base.extend<object, { watched: Watched }>({
  watched: [
    async ({}, provide) => {
      const postgres = await startPostgres();
      const network = await faultyNetwork(postgres.url);
      const upstream = await startFaultyUpstream({ sandbox: process.env["E2E_SANDBOX_URL"] ?? "" });
      const mail = await startMailServer();
      const { url, folder, start } = await anotherDashboard();
      const environments = `sandbox=${upstream.url},production=${upstream.url}`;
      Object.assign(process.env, {
        GANCHO_URL: url,
        GANCHO_DATA_DIR: folder,
        DATABASE_URL: postgres.url,
        PARTNER_API_ENVIRONMENTS: environments,
      });
      const metrics = await freePort();
      const gancho = await start({
        DATABASE_URL: network.url,
        METRICS_PORT: String(metrics),
        SMTP_URL: mail.url,
        MAIL_FROM: "gancho@example.com",
        WATCH_EVERY: "15",
      });
      const file = (name: string) => path.join(folder, name);
      copyFileSync(path.join(root, "deploy/prometheus/alerts.yml"), file("alerts.yml"));
      writeFileSync(
        file("prometheus.yml"),
        `global: { scrape_interval: 15s, evaluation_interval: 15s }
rule_files: [alerts.yml]
scrape_configs: [{ job_name: gancho, static_configs: [{ targets: ["127.0.0.1:${metrics}"] }] }]`,
      );
      const address = `127.0.0.1:${await freePort()}`;
      const prometheus = await startProgram({
        command: [
          "prometheus",
          `--config.file=${file("prometheus.yml")}`,
          `--storage.tsdb.path=${file("prometheus")}`,
          `--web.listen-address=${address}`,
        ],
        env: {},
        ready: /Server is ready to receive web requests/,
        logFile: file("prometheus.log"),
      });
      const firing = async () => {
        const said: unknown = await (await fetch(`http://${address}/api/v1/alerts`)).json();
        return answer
          .parse(said)
          .data.alerts.filter(({ state }) => state === "firing")
          .map(({ labels }) => labels.alertname);
      };
      await provide({ network, upstream, mail, firing });
      await prometheus.stop();
      await gancho.kill();
      await upstream.close();
      await db().destroy();
      await network.stop();
      await postgres.stop();
    },
    { scope: "worker" },
  ],
});

test.describe.configure({ mode: "serial", timeout: 400_000 });

/** The promise of alerts.yml. */
const soon = 120_000;

test("an outage of the payment service, of mail, of the reader or of the database fires an alert within two minutes", async ({
  watched: { network, upstream, mail, firing },
}) => {
  const fires = (name: string) =>
    expect.poll(firing, { timeout: soon, message: name }).toContain(name);
  const partner = await createPartner();
  const userId = await userIdOf(await partner.person("admin"));
  await expect.poll(() => upstream.counts().list, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(await firing()).toEqual([]);

  // The payment service goes on to accept connections, and answers nothing.
  upstream.setPlan({ rules: [{ kind: "any", action: { apply: "never", held: true } }] });
  await mail.close();
  const now = Date.now();
  await insert("alert_deliveries", {
    id: randomUUID(),
    kind: "password_changed",
    data_json: JSON.stringify({ userId }),
    recipient: userId,
    channel: "mail",
    once_key: null,
    created_at: now,
    state: "waiting",
    due_at: now,
    attempts: 0,
    fault: null,
    ended_at: null,
  });
  await Promise.all([fires("PaymentServiceDown"), fires("AlertsNotDelivered")]);

  network.swallow({ newOnes: true });
  await Promise.all([fires("GanchoNotReady"), fires("GanchoDatabaseFails")]);
  network.heal();
  await expect.poll(firing, { timeout: soon }).not.toContain("GanchoNotReady");

  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const locked = db()
    .transaction()
    .execute(async (trx) => {
      await sql`lock table leases in exclusive mode`.execute(trx);
      await released;
    });
  await fires("NobodyReads");
  release();
  await locked;
});
