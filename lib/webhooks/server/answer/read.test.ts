import { expect, it, onTestFinished, vi } from "vitest";
import { db } from "@/lib/platform/database/open";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { inWorld, partner, replace, save, upstream } from "@/lib/webhooks/testing/in-world";
import { openReading } from "@/lib/webhooks/testing/with-access";
import { readTimings } from "@/lib/platform/runtime/timings";
import { sql } from "kysely";
import { setTimeout as pause } from "node:timers/promises";

vi.mock("next/headers", () => ({ cookies: async () => new Map() }));

inWorld();

const url = "https://hooks.partner.example/pix";
const open = () => openReading(partner.id, partner.environment, { requestId: "r-1" });
/** However busy the machine is. */
const waitLong = () => {
  const { atOnceMs } = readTimings;
  Object.assign(readTimings, { atOnceMs: 10_000 });
  onTestFinished(() => void Object.assign(readTimings, { atOnceMs }));
};
const held = { rules: [{ kind: "list" as const, action: { held: true } }] };

const known = () =>
  save({ type: "both", url, authorization: replace("Bearer a-value-of-the-test") });

it("has the reading itself where the service answers at once", async () => {
  await known();
  waitLong();
  const { shown, reading } = await open();
  expect(reading).toBeNull();
  expect(shown).toMatchObject({ stale: false, webhooks: [{ callbackUrl: url }, {}] });
});

it("shows what is known with its age while the service is asked, and then what it answers", async () => {
  await known();
  upstream.setPlan(held);
  const { shown, reading } = await open();
  expect(shown).toMatchObject({ stale: false, webhooks: [{ callbackUrl: url }, {}] });
  await expect.poll(() => upstream.counts().list).toBe(1);
  upstream.setPlan({ rules: [] });
  upstream.release();
  const read = await reading;
  expect(read).toMatchObject({ stale: false, revision: shown?.revision });
  expect(read && "confirmedAt" in read && read.confirmedAt > (shown?.confirmedAt ?? "")).toBe(true);
});

it("says then that the service could not be read, and since when what is known was confirmed", async () => {
  await known();
  const action = { delayMs: 200, answer: { status: 400, body: "{}" } };
  upstream.setPlan({ rules: [{ kind: "list", action }] });
  const { shown, reading } = await open();
  expect(shown).toMatchObject({ stale: false });
  const read = await reading;
  expect(read).toMatchObject({ stale: true, staleReason: { code: "upstream_contract" } });
});

it("has nothing where nothing is known, and then the fault", async () => {
  const action = { delayMs: 200, answer: { status: 400, body: "{}" } };
  upstream.setPlan({ rules: [{ kind: "token", action }] });
  const { shown, reading } = await open();
  expect(shown).toBeNull();
  expect(await reading).toMatchObject({ code: "upstream_contract" });
});

it("fails at once where the fault is there at once", async () => {
  waitLong();
  upstream.setPlan({ rules: [{ kind: "token", action: { answer: { status: 400, body: "{}" } } }] });
  expect(await codeOf(open())).toBe("upstream_contract");
});

it.runIf(process.env["TEST_ENGINE"] === "postgres")(
  "says when the look that it shows was, however long its row takes to come (threat: a time at which nothing was looked at)",
  async () => {
    await known();
    upstream.setPlan(held);
    const { shown } = await open();
    let late: ReturnType<typeof open> | null = null;
    await db()
      .transaction()
      .execute(async (trx) => {
        await sql`lock table confirmed_configurations in access exclusive mode`.execute(trx);
        late = open();
        await pause(600);
      });
    const again = (await (late as ReturnType<typeof open> | null))?.shown;
    const [at, atAgain] = [shown, again].map((one) => Date.parse(one?.confirmedAt ?? ""));
    expect(Math.abs((at ?? NaN) - (atAgain ?? NaN))).toBeLessThan(300);
    upstream.release();
  },
);
