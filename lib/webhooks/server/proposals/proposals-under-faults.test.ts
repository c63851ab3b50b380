import type { Action } from "@/e2e/faulty-upstream/plan";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { switchFourEyes } from "@/lib/team/testing/with-access";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import type * as steadyClock from "@/lib/platform/database/steady-clock";
import type * as presenting from "@/lib/webhooks/server/read/present";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import type { Registered } from "@/e2e/fixtures/direct-service";
import {
  decideProposal,
  readEnded,
  readOperation,
  saveConfiguration,
} from "@/lib/webhooks/testing/with-access";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { as, inWorld, partner, read, upstream } from "@/lib/webhooks/testing/in-world";

/** Holds up what comes after a proposal was stored: its answer reads the configuration once more. */
const answering = vi.hoisted(() => ({ pause: Promise.resolve() }));
vi.mock("@/lib/webhooks/server/read/present", async (original) => {
  const actual = await original<typeof presenting>();
  return {
    ...actual,
    present: async (...given: Parameters<typeof actual.present>) => {
      await answering.pause;
      return actual.present(...given);
    },
  };
});

/** How many more readings of the clock come before all that waits is overdue. */
const clock = vi.hoisted(() => ({ readings: Infinity }));
vi.mock("@/lib/platform/database/steady-clock", async (original) => {
  const actual = await original<typeof steadyClock>();
  const timeOfDay = () =>
    clock.readings-- > 0 ? actual.timeOfDay() : sql<number>`9007199254740991`;
  return { ...actual, timeOfDay };
});

let admin: string;
let author: string;

inWorld({ environment: "production", as: null });
beforeEach(async () => {
  [admin, author] = [await partner.person("admin"), await partner.person("editor")];
  await partner.person("admin");
  await partner.registerKnown({ url, authorization: "Bearer one" });
  await as(admin, () => switchFourEyes(partner.id, true, origin));
});

const url = "https://hooks.example.com/pix";
const moved = `${url}/moved`;
const origin = { requestId: "test", clientAddress: "192.0.2.1" };

const ask = (operation: string) =>
  as(author, () => readOperation(partner.id, "production", operation, { requestId: "test-ask" }));

async function request(change: Partial<SaveRequest> = {}): Promise<SaveRequest> {
  const { revision } = await as(author, read);
  return { type: "pix_in", url: moved, revision, authorization: { action: "keep" }, ...change };
}

const save = (body: SaveRequest) =>
  as(author, () => saveConfiguration(partner.id, "production", body, origin));

function approve(proposal: string) {
  const params = { partner: partner.id, environment: "production", proposal };
  return as(admin, () => decideProposal(params, { decision: "approve" }, origin));
}

async function propose(change: Partial<SaveRequest> = {}): Promise<string> {
  const result = await save(await request(change));
  if (result.outcome !== "waiting") throw new Error(`expected a proposal, not ${result.outcome}`);
  return result.proposal;
}

/** What a save that failed says: whether anything changed, and its outcome. */
async function saidBy(saving: Promise<unknown>) {
  const thrown: unknown = await saving.then(
    () => new Error("it did not fail"),
    (error: unknown) => error,
  );
  if (!(thrown instanceof ProblemError)) throw thrown;
  return { applied: thrown.init.applied, outcome: thrown.init.extra?.["outcome"] };
}

const states = async () =>
  (
    await db().selectFrom("changes").select("state").where("partner_id", "=", partner.id).execute()
  ).map(({ state }) => state);

/** Until the save that was answered already has come to its end, too. */
async function untilSaveIsOver(): Promise<void> {
  const lease = await lockConnection(partner.connectionId, 15_000);
  if (!lease) throw new Error("the save goes on");
  await lease.release();
}

/** Saves are answered early, until the returned function is called. */
function answerEarly(ms = 300): () => void {
  const { answerMs } = saveTimings;
  saveTimings.answerMs = ms;
  const normal = () => {
    saveTimings.answerMs = answerMs;
  };
  onTestFinished(normal);
  return normal;
}

/** What a save says while the service, one of whose copies lags, does not answer; it ends after that. */
async function saidEarly(older: readonly Registered[], saving: () => Promise<unknown>) {
  const answer = { body: JSON.stringify({ webhooks: older }) };
  upstream.setPlan({
    rules: [
      { kind: "list", times: 1, action: { held: true, answer } },
      { kind: "list", from: 2, times: 1, action: { answer } },
    ],
  });
  const normal = answerEarly();
  const said = await saidBy(saving());
  normal();
  await expect.poll(() => upstream.counts().list).toBe(1);
  upstream.release();
  await untilSaveIsOver();
  return said;
}

/** Gancho knows a state of the service that is over, which a copy may show again. */
async function olderState(): Promise<Registered[]> {
  await as(author, read);
  const older = await partner.registered();
  const newer = { url: `${url}/newer`, authorization: "Bearer one" };
  await partner.register(newer);
  await as(author, read);
  return older;
}

/** Acknowledged, and not applied. */
const forgotten: Action = { apply: "never", answer: { body: '{"message":"ok"}' } };
const notSaved = { applied: "no", outcome: "not_saved" };

describe("a save that ends after its answer", () => {
  it("is not stored for approval once it was called not saved", async () => {
    const older = await olderState();
    const operation = randomUUID();
    const body = await request({ operation });
    expect(await saidEarly(older, () => save(body))).toEqual(notSaved);
    expect(upstream.counts().list).toBe(3);
    expect(await states()).toEqual([]);
    expect(await ask(operation)).toMatchObject({ outcome: "none" });
  });

  it("does not end the proposal that it was to apply, once it was called not saved", async () => {
    const older = await olderState();
    const proposal = await propose();
    expect(await saidEarly(older, () => approve(proposal))).toEqual(notSaved);
    expect(upstream.counts().list).toBe(3);
    expect(await states()).toEqual(["waiting"]);
    expect(await approve(proposal)).toMatchObject({ outcome: "saved" });
  });

  it("is answered as stored for approval once it is, without what could not be read in time", async () => {
    const operation = randomUUID();
    const body = await request({ operation });
    let goOn = () => {};
    answering.pause = new Promise((resolve) => (goOn = resolve));
    onTestFinished(goOn);
    // Long enough to be stored on a busy machine.
    answerEarly(2_500);
    expect(await save(body)).toMatchObject({ outcome: "waiting", configuration: null });
    goOn();
    await untilSaveIsOver();
    expect(await states()).toEqual(["waiting"]);
    expect(await ask(operation)).toMatchObject({ outcome: "waiting" });
  });
});

describe("a press whose answer was lost, and whose change waited for approval", () => {
  /** The proposal of a press, and what the same press gets when it arrives again. */
  async function pressed() {
    const operation = randomUUID();
    const body = await request({ operation });
    const waiting = await save(body);
    if (waiting.outcome !== "waiting") throw new Error(`not a proposal: ${waiting.outcome}`);
    return { operation, proposal: waiting.proposal, again: () => save(body) };
  }

  const decide = (person: string, proposal: string, decision: Decision) =>
    as(person, () =>
      decideProposal(
        { partner: partner.id, environment: "production", proposal },
        decision,
        origin,
      ),
    );

  it("is answered with the save that applied it once it was approved, even after an attempt that failed", async () => {
    const { operation, proposal, again } = await pressed();
    expect(await ask(operation)).toMatchObject({ outcome: "waiting", proposal });
    upstream.setPlan({ rules: [{ kind: "list", action: { answer: { status: 503 } } }] });
    expect(await saidBy(approve(proposal))).toEqual(notSaved);
    upstream.setPlan({ rules: [] });
    expect(await ask(operation)).toMatchObject({ outcome: "waiting", proposal });

    const saved = await approve(proposal);
    const results = [{ type: "pix_in", outcome: "overwritten" }];
    expect(saved).toMatchObject({ outcome: "saved", results });
    for (const answer of [await ask(operation), await again()])
      expect(answer).toMatchObject({
        outcome: "saved",
        results,
        operation: saved && "operation" in saved && saved.operation,
        configuration: { proposals: [] },
      });
  });

  it("is answered with what is known of that save, and never as waiting, while its outcome is open", async () => {
    const { operation, proposal, again } = await pressed();
    upstream.setPlan({ rules: [{ kind: "register", times: 1, action: forgotten }] });
    expect(await approve(proposal)).toMatchObject({ outcome: "accepted" });
    expect(await ask(operation)).toMatchObject({ outcome: "accepted", open: true });
    expect(await again()).toMatchObject({ outcome: "accepted", open: true });
  });

  it("is in progress while the save that applies it is", async () => {
    const { operation, proposal } = await pressed();
    upstream.setPlan({ rules: [{ kind: "register", action: { held: true } }] });
    const approved = approve(proposal);
    await expect.poll(() => upstream.counts().register).toBe(1);
    expect(await ask(operation)).toMatchObject({ outcome: "in_progress" });
    upstream.release();
    expect(await approved).toMatchObject({ outcome: "saved" });
  });

  it.each([
    ["rejected", (id: string) => decide(admin, id, { decision: "reject", reason: "not ours" })],
    ["withdrawn", (id: string) => decide(author, id, { decision: "withdraw" })],
    ["replaced", async (id: string) => propose({ url: `${url}/other`, replaces: [id] })],
    [
      "expired",
      (id: string) =>
        db().updateTable("changes").set({ expires_at: 1 }).where("id", "=", id).execute(),
    ],
  ])("is answered with its end where it was %s, and sends nothing", async (state, end) => {
    const { operation, proposal, again } = await pressed();
    await end(proposal);
    expect(await ask(operation)).toMatchObject({ outcome: state });
    expect(await again().catch((thrown: unknown) => thrown)).toMatchObject({
      code: "proposal_over",
      init: { applied: "no", extra: { state } },
    });
    expect(upstream.counts().register).toBe(0);
  });

  it("of another change cannot be passed off as it", async () => {
    const operation = randomUUID();
    const body = await request({ operation });
    expect(await save(body)).toMatchObject({ outcome: "waiting" });
    const errors = [{ path: "operation", code: "operation_reused" }];
    const other = save({ ...body, url: `${url}/other` });
    expect(await other.catch((thrown: unknown) => thrown)).toMatchObject({ init: { errors } });
  });
});

it("whose time ends while somebody rejects it is not called rejected", async () => {
  const params = { partner: partner.id, environment: "production", proposal: await propose() };
  clock.readings = 2;
  onTestFinished(() => {
    clock.readings = Infinity;
  });
  const rejecting = as(admin, () =>
    decideProposal(params, { decision: "reject", reason: "not ours" }, origin),
  );
  expect(await rejecting.catch((thrown: unknown) => thrown)).toMatchObject({
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

  /** The service acknowledged it, and does not show it. */
  async function approveUnseen() {
    const proposal = await propose();
    upstream.setPlan({ rules: [{ kind: "register", times: 1, action: forgotten }] });
    expect(await approve(proposal)).toMatchObject({ outcome: "accepted" });
  }

  it("reads that the service accepted it and does not show it, and after its time that it was not applied", async () => {
    await approveUnseen();
    expect(await saveShown()).toEqual(["accepted"]);
    await update(
      "changes",
      { sent_at: (await readSteadyClock()) - 601_000 },
      { partner_id: partner.id },
    );
    await as(author, read);
    expect(await saveShown()).toEqual(["not_applied"]);
  });

  it("reads that another change overtook it", async () => {
    await approveUnseen();
    const other = { url: `${url}/other`, type: "pix_in", authorization: "Bearer one" };
    await partner.register(other);
    await as(author, read);
    expect(await saveShown()).toEqual(["overtaken"]);
  });

  it("reads that the end is not recorded yet only while that is so", async () => {
    const proposal = await propose();
    upstream.setPlan({ rules: [{ kind: "register", action: { held: true } }] });
    const approved = approve(proposal);
    await expect.poll(() => upstream.counts().register).toBe(1);
    expect(await saveShown()).toEqual([null]);
    upstream.release();
    await approved;
    expect(await saveShown()).toEqual(["saved"]);
  });
});
