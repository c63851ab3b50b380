import { registerFigures } from "@/lib/installation/server/figures";
import { recordHistory, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { inTransaction, update } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { metricLabels, renderMetrics } from "@/lib/platform/metrics/metrics";
import { everyMs, minute, startWatchWorld, type WatchWorld } from "@/lib/watch/testing/world";
import type { TestPartner } from "@/lib/webhooks/testing/world";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { registerWatchFigures, serviceFigures } from "./figures";

let watch: WatchWorld;
let fine: TestPartner;
let failing: TestPartner;
const authorization = "Bearer nobody-but-the-receiver";

beforeAll(async () => {
  watch = await startWatchWorld();
  [fine, failing] = [await watch.world.partner("Fine"), await watch.world.partner("Failing")];
  await fine.register({ url: "https://a.example/", authorization });
  const watcher = watch.watcher();
  await watch.pass(everyMs + minute, watcher, minute);
  failing.setActive(false);
  await watch.pass(everyMs + minute, watcher, minute);
  registerFigures();
  registerWatchFigures();
});
afterAll(() => watch.world.close());

/** By name and labels, as they are written. */
async function figures(): Promise<Map<string, number>> {
  const { text } = await renderMetrics();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

it("reports the state of connections, calls of the payment service, and the process and the database", async () => {
  const found = await figures();
  for (const group of ["process", "alerts", "keys", "watch"])
    expect(found.get(`gancho_figures_up{group="${group}"}`), group).toBe(1);
  expect(found.get('gancho_connections{environment="sandbox",state="all"}')).toBe(2);
  expect(found.get('gancho_connections{environment="sandbox",state="failing"}')).toBe(1);
  expect(found.get('gancho_watch_period_seconds{environment="sandbox"}')).toBe(900);
  expect(found.get('gancho_watch_budget_requests_per_second{environment="sandbox"}')).toBe(200);
  expect(found.get('gancho_watch_lag_seconds{environment="sandbox"}')).toBeGreaterThanOrEqual(0);
  expect(found.get('gancho_payment_service_down{environment="sandbox"}')).toBe(0);
  const asked = 'gancho_payment_service_requests_total{environment="sandbox"';
  expect(found.get(`${asked},call="list",purpose="watch",result="ok"}`)).toBeGreaterThanOrEqual(3);
  const refused = `${asked},call="token",purpose="watch",result="credentials_rejected"}`;
  expect(found.get(refused)).toBeGreaterThanOrEqual(1);
  expect(found.get('gancho_readings_total{environment="sandbox",by="watch",result="ok"}')).toBe(
    found.get(`${asked},call="list",purpose="watch",result="ok"}`),
  );
  expect(found.get('gancho_payment_service_tokens_total{from="exchanged"}')).toBeGreaterThan(1);
  expect(found.get('gancho_saves_total{environment="sandbox",outcome="unclear"}')).toBe(0);
  expect(found.get("gancho_database_statement_duration_seconds_count")).toBeGreaterThan(50);
  const [key] = env().encryptionKeys;
  expect(found.get(`gancho_encryption_key_data_keys{key="${key.id}",standing="active"}`)).toBe(2);
  expect(found.get('gancho_alerts{state="given_up"}')).toBe(0);
  if (process.env["TEST_ENGINE"] === "postgres")
    expect(found.get('gancho_database_connections{state="idle"}')).toBeGreaterThan(0);
});

it("counts each entry of the history once it is committed, and saves by their outcome", async () => {
  const entry: NewHistoryEntry = {
    partnerId: fine.id,
    environment: "sandbox",
    kind: "save_sent",
    types: [],
    actor: null,
    requestId: null,
    outcome: "unclear",
    detail: { saveId: "s", changes: [], problem: null },
  };
  const count = async () =>
    (await figures()).get('gancho_saves_total{environment="sandbox",outcome="unclear"}') ?? 0;
  const before = await count();
  const undone = inTransaction(async (trx) => {
    await recordHistory(trx, entry);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await count()).toBe(before);
  await inTransaction((trx) => recordHistory(trx, entry));
  expect(await count()).toBe(before + 1);
  expect((await figures()).get('gancho_history_anchor_writes_total{result="ok"}')).toBeGreaterThan(
    0,
  );
});

it("has no secret in it, and no name of a partner or a person (threat: metrics that anybody on the network reads)", async () => {
  const { text } = await renderMetrics();
  const [{ key }] = env().encryptionKeys;
  for (const secret of [
    fine.clientSecret,
    fine.clientId,
    fine.id,
    authorization,
    key.reveal(),
    env().authSecret.reveal(),
    "Fine",
  ])
    expect(text).not.toContain(secret);
  expect((await metricLabels()).size).toBeGreaterThan(40);
});

it("calls the service down only where readings find out that it is back (threat: with WATCH_EVERY=0, daily checks that wait for ever)", async () => {
  const { watchEveryMs } = env();
  onTestFinished(() => void (env().watchEveryMs = watchEveryMs));
  await update("watch_services", { down_since: Date.now() });
  const downSince = async () => (await serviceFigures(watch.watched)).serviceDownSince;
  expect(await downSince()).not.toBeNull();
  env().watchEveryMs = null;
  expect(await downSince()).toBeNull();
});
