import { db } from "@/lib/platform/database/open";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type * as rechecking from "@/lib/platform/access/recheck-role";
import type { Database } from "@/lib/platform/database/tables";
import type * as steadyClock from "@/lib/platform/database/steady-clock";
import type * as presenting from "@/lib/webhooks/server/answer/configuration";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import type { Registered } from "@/e2e/fixtures/direct-service";
import { codeOf, thrownProblem } from "@/lib/platform/http/testing/thrown-problem";
import { readEnded } from "@/lib/webhooks/testing/with-access";
import { setFourEyes } from "@/lib/team/server/four-eyes/four-eyes";
import { sql, type Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  as,
  ask as askAs,
  forgotten,
  keep,
  listing,
  partner,
  plan,
  read,
  replace,
  save,
  showing,
  timePasses,
  upstream,
  url,
} from "@/lib/webhooks/testing/in-world";
import {
  admin,
  author,
  decide,
  inFourEyesWorld,
  moved,
  propose,
} from "@/lib/webhooks/testing/four-eyes";
import type * as intentModule from "./intent";
import { recordIntent } from "./intent";

vi.mock("./intent", { spy: true });
const original = await vi.importActual<typeof intentModule>("./intent");

/** Delays what follows storing a proposal: its answer reads the configuration again. */
const answering = vi.hoisted(() => ({ pause: Promise.resolve() }));
vi.mock("@/lib/webhooks/server/answer/configuration", async (original) => {
  const actual = await original<typeof presenting>();
  return {
    ...actual,
    present: async (...given: Parameters<typeof actual.present>) => {
      await answering.pause;
      return actual.present(...given);
    },
  };
});

/** How many readings of the clock are left before all waiting proposals are overdue. */
const clock = vi.hoisted(() => ({ readings: Infinity }));
vi.mock("@/lib/platform/database/steady-clock", async (original) => {
  const actual = await original<typeof steadyClock>();
  const timeOfDay = () =>
    clock.readings-- > 0 ? actual.timeOfDay() : sql<number>`9007199254740991`;
  return { ...actual, timeOfDay };
});

/** What happens just before a save's person is checked for the last time. */
const meanwhile = vi.hoisted(() => ({
  change: (_trx: Transaction<Database>): Promise<void> => Promise.resolve(),
}));
vi.mock("@/lib/platform/access/recheck-role", async (original) => {
  const actual = await original<typeof rechecking>();
  return {
    ...actual,
    recheckRole: async (...given: Parameters<typeof actual.recheckRole>) => {
      await meanwhile.change(given[0]);
      return actual.recheckRole(...given);
    },
  };
});

inFourEyesWorld("production");

const ask = (operation: string) => as(author, () => askAs(operation));

/** The author's request to save, which can be sent again. */
async function requestOf(operation = randomUUID()) {
  const { revision } = await as(author, read);
  const body = { operation, url: moved, authorization: keep, revision };
  const press = (change: Partial<SaveRequest> = {}) =>
    as(author, () => save({ ...body, ...change }));
  return { operation, press };
}

const approve = (proposal: string) => decide(admin, proposal, "approve");

/** What a failed approval answers: whether anything changed, and its outcome. */
async function answerOf(approving: Promise<unknown>) {
  const { init } = await thrownProblem(approving);
  return { applied: init.applied, outcome: init.extra?.["outcome"] };
}

const states = async () =>
  (
    await db().selectFrom("changes").select("state").where("partner_id", "=", partner.id).execute()
  ).map(({ state }) => state);

/** Waits until the save that was answered early has ended. */
async function untilSaveIsOver(): Promise<void> {
  const lease = await lockConnection(partner.connectionId, 15_000);
  if (!lease) throw new Error("the save is still in progress");
  await lease.release();
}

/** Shortens a time limit until the returned function is called. Saves that are answered early go on. */
function shorten(time: "answerMs" | "waitForOtherSaveMs", ms: number): () => void {
  const before = saveTimings[time];
  saveTimings[time] = ms;
  const normal = () => {
    saveTimings[time] = before;
  };
  onTestFinished(normal);
  return normal;
}

/** A save's answer while the service, which has a lagging replica, does not answer. The save ends after that. */
async function earlyAnswer<Said>(older: readonly Registered[], saving: () => Promise<Said>) {
  const answer = { body: JSON.stringify({ webhooks: older }) };
  const held = { ...listing(answer, { times: 1 }), action: { held: true, answer } };
  plan(held, listing(answer, { from: 2, times: 1 }));
  const normal = shorten("answerMs", 300);
  const said = await saving();
  normal();
  await expect.poll(() => upstream.counts().list).toBe(1);
  upstream.release();
  await untilSaveIsOver();
  return said;
}

/** Makes Gancho know an older state of the service, which a lagging replica may show again. */
async function olderState(): Promise<Registered[]> {
  await as(author, read);
  const older = await partner.registered();
  await partner.register({ url: `${url}/newer`, authorization: "Bearer one" });
  await as(author, read);
  return older;
}

it("a save waits also where a lagging replica already shows the desired address (threat: one person who waits for a lagging replica)", async () => {
  plan(listing({ body: JSON.stringify({ webhooks: await olderState() }) }));
  const { press } = await requestOf();
  const back = { url, authorization: replace("Bearer two") };
  expect(await press(back)).toMatchObject({ outcome: "waiting" });
});

it("a save waits also where it would undo an approved one that the service does not show yet (threat: one person who waits for the old address)", async () => {
  const proposal = await propose(author);
  plan(listing({ body: JSON.stringify({ webhooks: await partner.registered() }) }));
  expect(await approve(proposal)).toMatchObject({ outcome: "accepted" });
  const { press } = await requestOf();
  const back = { url, authorization: replace("Bearer two") };
  expect(await press(back)).toMatchObject({ outcome: "waiting" });
});

it("a save that began before four-eyes approval was switched on is not sent after it (threat: one person alone)", async () => {
  await inTransaction((trx) => setFourEyes(trx, partner.id, null));
  const { press } = await requestOf();
  meanwhile.change = (trx) => setFourEyes(trx, partner.id, { since: Date.now(), byId: "ana" });
  onTestFinished(() => {
    meanwhile.change = () => Promise.resolve();
  });
  expect(await press()).toMatchObject({ outcome: "changed_meanwhile", applied: "no" });
  expect(await states()).toEqual([]);
  expect(upstream.counts().register).toBe(0);
});

it("a proposal is shown as outdated where the service hides a value that was not set before", async () => {
  await partner.registerKnown({ url });
  const id = await propose(author, { authorization: replace("Bearer two") });
  const items = await partner.registered();
  const hidden = items.map((item) => ({ ...item, auth_header: "********" }));
  plan(listing({ body: JSON.stringify({ webhooks: hidden }) }));
  expect((await as(admin, read)).proposals).toMatchObject([{ id, outdated: true }]);
  expect(await codeOf(approve(id))).toBe("proposal_stale");
});

it("an approval is reported as not saved where it could not begin, because another save is in progress", async () => {
  const proposal = await propose(author);
  const lock = await lockConnection(partner.connectionId, 0);
  shorten("waitForOtherSaveMs", 0);
  expect(await answerOf(approve(proposal))).toEqual({ applied: "no", outcome: undefined });
  await lock?.release();
});

const notSent = { applied: "no", outcome: "not_sent" };

describe("a save that ends after its answer", () => {
  it("is not stored for approval once it was reported as not saved", async () => {
    const older = await olderState();
    const { operation, press } = await requestOf();
    expect(await earlyAnswer(older, press)).toMatchObject(notSent);
    expect(upstream.counts().list).toBe(3);
    expect(await states()).toEqual([]);
    expect(await ask(operation)).toMatchObject({ outcome: "none" });
  });

  it("does not end the proposal that it was to apply, once it was reported as not saved", async () => {
    const older = await olderState();
    const proposal = await propose(author);
    expect(await earlyAnswer(older, () => answerOf(approve(proposal)))).toEqual(notSent);
    expect(upstream.counts().list).toBe(3);
    expect(await states()).toEqual(["waiting"]);
    expect(await approve(proposal)).toMatchObject({ outcome: "saved" });
  });

  it("is not reported as changing nothing where its approval ended a proposal, though the service shows that already", async () => {
    for (const url of [`${moved}/earlier`, moved]) await approve(await propose(author, { url }));
    const proposal = await propose(author, { authorization: replace("Bearer one") });
    let goOn = () => {};
    const answered = new Promise<void>((resolve) => (goOn = resolve));
    onTestFinished(goOn);
    vi.mocked(recordIntent).mockImplementationOnce(async (...given) => {
      const recorded = await original.recordIntent(...given);
      await answered;
      return recorded;
    });
    // Long enough to store it on a busy machine.
    const normal = shorten("answerMs", 2_500);
    expect(await answerOf(approve(proposal))).toMatchObject({ applied: "unknown" });
    normal();
    goOn();
    await untilSaveIsOver();
    expect(await rowOf("changes", { id: proposal })).toMatchObject({ state: "closed" });
    expect(await ask(proposal)).toMatchObject({ outcome: "unchanged" });
  });

  it("is answered as waiting once it is stored, without the configuration that could not be read in time", async () => {
    const { operation, press } = await requestOf();
    let goOn = () => {};
    answering.pause = new Promise((resolve) => (goOn = resolve));
    onTestFinished(goOn);
    // Long enough to store it on a busy machine.
    shorten("answerMs", 2_500);
    expect(await press()).toMatchObject({ outcome: "waiting", configuration: null });
    goOn();
    await untilSaveIsOver();
    expect(await states()).toEqual(["waiting"]);
    expect(await ask(operation)).toMatchObject({ outcome: "waiting" });
  });
});

describe("a save whose answer was lost, and whose change waited for approval", () => {
  /** The proposal of a save, and the answer when the same request arrives again. */
  async function proposedOnce() {
    const { operation, press } = await requestOf();
    const waiting = await press();
    if (!("proposal" in waiting)) throw new Error(`not a proposal: ${waiting.outcome}`);
    return { operation, proposal: waiting.proposal, again: press };
  }

  it("is answered with the save that applied it once it was approved, even after an attempt that failed", async () => {
    const { operation, proposal, again } = await proposedOnce();
    expect(await ask(operation)).toMatchObject({ outcome: "waiting", proposal });
    plan(listing({ status: 503 }));
    expect(await answerOf(approve(proposal))).toEqual(notSent);
    plan();
    expect(await ask(operation)).toMatchObject({ outcome: "waiting", proposal });

    const saved = await approve(proposal);
    const results = [{ type: "pix_in", outcome: "saved" }];
    expect(saved).toMatchObject({ outcome: "saved", results });
    for (const answer of [await ask(operation), await again()])
      expect(answer).toMatchObject({
        outcome: "saved",
        results,
        operation: saved && "operation" in saved && saved.operation,
        configuration: { proposals: [] },
      });
  });

  it("is in progress while the save that applies it is", async () => {
    const { operation, proposal } = await proposedOnce();
    plan({ kind: "register", action: { held: true } });
    const approved = approve(proposal);
    await expect.poll(() => upstream.counts().register).toBe(1);
    expect(await ask(operation)).toMatchObject({ outcome: "in_progress" });
    upstream.release();
    expect(await approved).toMatchObject({ outcome: "saved" });
  });

  it.each([
    ["rejected", (id: string) => decide(admin, id, "reject", "not ours")],
    ["withdrawn", (id: string) => decide(author, id, "withdraw")],
    ["replaced", (id: string) => propose(author, { url: `${url}/other`, replaces: [id] })],
    ["expired", (id: string) => update("changes", { expires_at: 1 }, { id })],
  ])("is answered with its outcome where it was %s, and sends nothing", async (state, end) => {
    const { operation, proposal, again } = await proposedOnce();
    await end(proposal);
    expect(await ask(operation)).toMatchObject({ outcome: state });
    expect(await again()).toMatchObject({ code: "proposal_over", applied: "no", state });
    expect(upstream.counts().register).toBe(0);
  });

  it("with another change is refused", async () => {
    const { again } = await proposedOnce();
    const errors = [{ path: "operation", code: "operation_reused" }];
    expect(await again({ url: `${url}/other` })).toMatchObject({ errors });
  });
});

it("a proposal that expires while somebody rejects it is not reported as rejected", async () => {
  const proposal = await propose(author);
  clock.readings = 2;
  onTestFinished(() => {
    clock.readings = Infinity;
  });
  const rejecting = thrownProblem(decide(admin, proposal, "reject", "not ours"));
  expect(await rejecting).toMatchObject({
    code: "proposal_over",
    init: { extra: { state: "expired" } },
  });
});

describe("the author of an approved change", () => {
  const saveShown = async () => {
    const params = { partner: partner.id, environment: "production" };
    const { ended } = await as(author, () => readEnded(params));
    return ended.map(({ save }) => save);
  };

  /** Approves it; the service acknowledges it and does not show it. */
  async function approveUnseen() {
    const proposal = await propose(author);
    plan(forgotten);
    expect(await approve(proposal)).toMatchObject({ outcome: "accepted" });
  }

  it("reads that the service accepted it without showing it, and later that it was not shown", async () => {
    await approveUnseen();
    expect(await saveShown()).toEqual(["accepted"]);
    await timePasses(601_000);
    await as(author, read);
    expect(await saveShown()).toEqual(["not_shown"]);
  });

  it("reads that nothing more than the address can be confirmed where the service hides the value", async () => {
    const proposal = await propose(author, { type: "both", authorization: replace("Bearer two") });
    plan({ kind: "register", action: { held: true } });
    const approved = approve(proposal);
    await expect.poll(() => upstream.counts().register).toBe(1);
    const hidden = { callback_url: moved, auth_header: "********", events: [] };
    plan(showing(["pix_in", "pix_out"].map((type) => ({ type, ...hidden }))));
    upstream.release();
    expect(await approved).toMatchObject({ outcome: "partly" });
    expect(await saveShown()).toEqual(["partly"]);
  });

  it("reads that the outcome is pending only until it is recorded", async () => {
    const proposal = await propose(author);
    plan({ kind: "register", action: { held: true } });
    const approved = approve(proposal);
    await expect.poll(() => upstream.counts().register).toBe(1);
    expect(await saveShown()).toEqual([null]);
    upstream.release();
    await approved;
    expect(await saveShown()).toEqual(["saved"]);
  });
});
