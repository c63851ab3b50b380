import { isFollowed } from "@/lib/platform/database/tables";
import { historyOf } from "@/lib/history/testing/people-entries";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { followDue } from "@/lib/webhooks/server/save/follow-saves";
import { saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import type { TestPartner } from "@/lib/webhooks/testing/world";
import { minute, everyMs, startWatchWorld, type WatchWorld } from "@/lib/watch/testing/world";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";

let watch: WatchWorld;
let partner: TestPartner;

const url = "https://hooks.example.com/pix";
const away = { kind: "list", action: { answer: { status: 503, body: "{}" } } } as const;

beforeAll(async () => {
  watch = await startWatchWorld();
});
afterAll(() => watch.world.close());
afterEach(() => watch.forget());

/** A save that was accepted and never shown, whose deadline passes while the service does not answer. */
beforeEach(async () => {
  partner = await watch.world.partner();
  signInAs(await partner.person("admin"));
  const answer = { status: 200, body: '{"message":"ok"}' };
  const forgotten = { kind: "register", times: 1, action: { apply: "never", answer } } as const;
  watch.upstream.setPlan({ rules: [forgotten] });
  const authorization = { action: "replace", value: "Bearer typed" } as const;
  const { outcome } = await saveConfiguration(
    partner.id,
    "sandbox",
    { type: "pix_in", url, revision: null, authorization },
    { requestId: randomUUID(), clientAddress: null },
  );
  expect(outcome).toBe("accepted");
  watch.upstream.setPlan({ rules: [away] });
  await sentAgo(600_000);
  await followDue();
  expect(await saveNow()).toMatchObject({ state: "ended", outcome: "unknown" });
});

async function sentAgo(ms: number) {
  const now = await readSteadyClock();
  await db()
    .updateTable("changes")
    .set({ sent_at: now - ms, next_look_at: now })
    .where(isFollowed)
    .execute();
}

const saveNow = () =>
  db()
    .selectFrom("changes")
    .select(["state", "outcome"])
    .where("partner_id", "=", partner.id)
    .executeTakeFirstOrThrow();

const kinds = async () =>
  (await historyOf(partner.id)).map(({ kind, outcome }) => `${kind} ${outcome ?? ""}`);

it("a background reading ends a save whose follower could not read, and reports no outside change", async () => {
  watch.upstream.setPlan({ rules: [] });
  const authorization = "Bearer typed";
  await partner.register({ url, type: "pix_in", authorization });
  await watch.pass(everyMs + minute, watch.watcher(), minute);
  expect(await saveNow()).toEqual({ state: "closed", outcome: "saved" });
  expect(await kinds()).toEqual(["save_attempt ", "save accepted", "save unknown", "save saved"]);
});

it("one that the service does not show stays unknown, and is no longer followed", async () => {
  watch.upstream.setPlan({ rules: [] });
  await watch.pass(everyMs + minute, watch.watcher(), minute);
  expect(await saveNow()).toEqual({ state: "closed", outcome: "unknown" });
});
