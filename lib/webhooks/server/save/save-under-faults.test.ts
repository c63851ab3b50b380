import type { Action, Rule } from "@/e2e/faulty-upstream/plan";
import { db } from "@/lib/platform/database/open";
import { findOverview } from "@/lib/partners/server/list/overview";
import { randomUUID } from "node:crypto";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { lastsMs, windowMs } from "@/lib/webhooks/server/observe/look";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import { recordAndStall as recordIntentOf } from "@/lib/webhooks/testing/stalled-save";
import type * as intentModule from "./intent";
import { recordIntent } from "./intent";
import { erasePerson } from "@/lib/retention/server/erase-person";
import { readStep } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  answering,
  ask,
  held,
  heldReading,
  history,
  inWorld,
  keep,
  listing,
  outcomes,
  partner,
  plan,
  read,
  remove,
  replace,
  save,
  timePasses,
  showing,
  upstream,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";

vi.mock("./intent", { spy: true });
const original = await vi.importActual<typeof intentModule>("./intent");

inWorld();

const onRegister = (action: Action): Rule => ({ kind: "register", action });

/** Registers both types, for the first time. */
const ending = (request: Partial<SaveRequest> = {}) =>
  save({ type: "both", revision: null, authorization: keep, ...request });

const both = (outcome: string) => [
  { type: "pix_in", outcome },
  { type: "pix_out", outcome },
];
const notSent = { applied: "no", outcome: "not_sent", results: both("not_sent") };
const saved = { outcome: "saved", results: both("saved") };
const accepted = { outcome: "accepted", results: both("accepted") };
const refused = { applied: "unknown", outcome: "refused", results: both("refused") };
const noClearAnswer = { code: "outcome_unknown", applied: "unknown", outcome: "unclear" };
const unclear = { ...noClearAnswer, results: both("unclear") };

/** The client's tests cover each fault of the connection; these cover its effect on a save. */
describe("a write whose answer is wrong or lost", () => {
  it.each<[string, Action, object]>([
    ["applied, then cut: saved", { apply: "first", cutAfter: 0, ending: "reset" }, saved],
    [
      "cut, and the old state is shown: no clear answer, since it may be applied later",
      { apply: "never", cutAfter: 0, ending: "reset" },
      unclear,
    ],
    [
      "refused with a reason: refused, and not shown",
      answering(422).action,
      { ...refused, code: "upstream_rejected" },
    ],
    [
      "asked to slow down: no clear answer, since something in between may have answered",
      answering(429).action,
      unclear,
    ],
  ])("%s", async (_name, action, expected) => {
    plan(onRegister(action));
    expect(await ending()).toMatchObject(expected);
    expect(upstream.counts().register).toBe(1);
    expect(await held()).toEqual(expected === saved ? [url, url] : []);
  });

  it.each<[string, Action]>([
    ["cut", { apply: "never", cutAfter: 5, ending: "reset" }],
    ["missing until the deadline", { apply: "never", cutAfter: 0, ending: "hang" }],
  ])(
    "refused with 401, then sent again with a new token, and that answer is %s: no clear answer",
    async (_how, action) => {
      const operation = randomUUID();
      plan(answering(401), { ...onRegister(action), from: 2 });
      const end = await ending({ operation });
      expect(upstream.counts().register).toBe(2);
      const until = expect.any(String) as string;
      const results = both("unclear").map((type) => ({ ...type, until }));
      expect(end).toMatchObject({ ...noClearAnswer, results });
      expect(await ask(operation)).toMatchObject({ outcome: "unclear", results });
      expect(await history("save_sent")).toMatchObject([{ outcome: "unclear" }]);
      plan();
      expect((await read()).openSaves).toMatchObject([{ operation, outcome: "unclear" }]);
    },
  );

  it("shows late: saved once it is shown within the time of the save", async () => {
    plan(answering(500, "first"), showing([], { from: 2, times: 1 }));
    expect(await ending()).toMatchObject(saved);
  });

  it("shows the old state only before it is applied, and cannot be read after: unknown, not a false 'not saved'", async () => {
    plan(
      answering(500, "first"),
      showing([], { from: 2, times: 2 }),
      listing({ status: 503 }, { from: 4 }),
    );
    expect(await ending()).toMatchObject(unclear);
    expect(await held()).toEqual([url, url]);
    plan();
    const { webhooks } = await read();
    expect(await outcomes()).toEqual(["saved", "unclear"]);
    expect(webhooks.map(({ askedBy }) => askedBy?.name)).toEqual(["The admin", "The admin"]);
  });

  it("that is never shown ends after it was followed for its time, whatever the wall clock says", async () => {
    plan(onRegister({ apply: "never", cutAfter: 0, ending: "reset" }));
    expect(await ending()).toMatchObject(unclear);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    // The wall clock jumped: no time has passed.
    expect(await outcomes()).toEqual(["unclear"]);
    await timePasses(601_000);
    await read();
    expect(await outcomes()).toEqual(["not_shown", "unclear"]);
  });
});

it.each<[string, Rule, string]>([
  ["500", listing({ status: 500 }), "upstream_unavailable"],
  [
    "a token that is refused",
    { kind: "token", action: { answer: { status: 401 } } },
    "credentials_rejected",
  ],
])(
  "a reading that fails with %s before anything was sent: not saved, and nothing is sent",
  async (_name, rule, code) => {
    plan(rule);
    expect(await ending()).toMatchObject({ ...notSent, code });
    expect(upstream.counts().register).toBe(0);
    const connection = { baseUrl: upstream.url, clientId: partner.clientId };
    const connectionRef = { partnerId: partner.id, environment: "sandbox", connection };
    const overview = await findOverview(db(), connectionRef);
    expect(overview, "the list of partners shows it").toMatchObject({ fault_code: code });
    plan();
    expect(await held()).toEqual([]);
    expect(await history()).toMatchObject([
      { kind: "save_attempt", outcome: null },
      { kind: "save_sent", outcome: "not_sent" },
    ]);
  },
);

it.each([403, 404])(
  "a write that is refused with %i where the list was just read is the refusal of a change, not of the dashboard or its address",
  async (status) => {
    plan(answering(status));
    expect(await ending()).toMatchObject({ outcome: "refused", code: "upstream_rejected" });
  },
);

it("a token that is refused for the write leaves what was read just before as it is", async () => {
  await ending();
  await read();
  vi.mocked(recordIntent).mockImplementationOnce(async (...given) => {
    const recorded = await original.recordIntent(...given);
    partnerApi().forget(partner.connectionId);
    plan({ kind: "token", action: { answer: { status: 401 } } });
    return recorded;
  });
  const end = await save({ type: "pix_in", url: `${url}/new`, authorization: keep });
  expect(end).toMatchObject({ code: "credentials_rejected", configuration: { stale: false } });
});

describe("a 404 in other words than the contract's", () => {
  const otherWords = listing({ status: 404, body: '{"message":"no such route"}' });

  it("does not remove the registered version: it is shown as stale, and nothing is saved or recorded", async () => {
    await partner.register({ url });
    const { revision } = await read();
    plan(otherWords);
    expect(await read()).toMatchObject({
      stale: true,
      staleReason: { code: "misconfigured" },
      revision,
      webhooks: [{ callbackUrl: url }, { callbackUrl: url }],
    });
    const refused = { ...notSent, code: "misconfigured" };
    expect(await ending({ url: `${url}/2`, revision })).toMatchObject(refused);
    expect(upstream.counts().register).toBe(0);
    plan();
    expect(await outcomes()).toEqual(["not_sent"]);
  });

  it("does not either where the service has just said in the contract's words that nothing is registered", async () => {
    await partner.register({ url });
    await read();
    plan(listing({ status: 404, body: '{"error":"Configuration not found"}' }));
    expect(await read()).toMatchObject({ stale: false, webhooks: [] });
    plan(otherWords);
    expect(await read()).toMatchObject({ stale: true, staleReason: { code: "misconfigured" } });
  });

  it("after a save that was applied is unknown, not a false 'not saved', until it can be read", async () => {
    plan(otherWords);
    expect(await read()).toMatchObject({ unclear: true, stale: false, webhooks: [] });
    const asked = { code: "confirmation_required", applied: "no", reason: "unclear_not_found" };
    expect(await ending()).toMatchObject(asked);
    expect(upstream.counts().register).toBe(0);
    expect(await ending({ confirm: true })).toMatchObject(accepted);
    expect(await held()).toEqual([url, url]);
    await timePasses(61_000);
    expect(await outcomes()).toEqual(["accepted"]);
    plan();
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("is no state to compare with: no author is named for what is shown after it", async () => {
    plan(otherWords);
    await partner.register({ url });
    expect((await read()).webhooks).toEqual([]);
    plan();
    expect(await read()).toMatchObject({ recentChanges: [], webhooks: [{ askedBy: null }, {}] });
  });
});

describe("a process that died during a save", () => {
  const value = "Bearer crashed";

  const recordAndStall = async () =>
    recordIntentOf({ person: await partner.person("admin"), value });

  /** The reader's round some time later, when the lock has expired. */
  async function followDueNow() {
    await update("changes", { next_check_at: 1 }, { partner_id: partner.id });
    await followDue();
  }

  it("after the service took it: later readings close it as saved by the person who pressed save", async () => {
    await recordAndStall();
    await partner.register({ url, authorization: value });
    await followDueNow();
    expect((await outcomes()).slice(0, 2)).toEqual(["saved", "unclear"]);
  });

  it.each<[string, (again: Partial<SaveRequest>) => Promise<object>]>([
    ["whoever asks is told so", ({ operation = "" }) => ask(operation)],
    ["so is whoever repeats it", (again) => save(again)],
  ])("while the service cannot be read: no answer is known, and %s", async (_who, tell) => {
    await read();
    const { record } = await recordAndStall();
    plan(listing({ status: 503 }));
    signInAs(record.actor.id);
    const authorization = { action: "replace", value } as const;
    const again = { type: "both", authorization, revision: null, operation: record.id } as const;
    const told = await tell(again);
    expect(told).toMatchObject({ outcome: "unclear", results: both("unclear") });
    expect((await read()).openSaves).toHaveLength(1);
    expect(await outcomes()).toEqual(["unclear"]);
    expect(upstream.counts().register).toBe(0);
  });

  it("after it was sent, while the service cannot be read: no answer is known, and it is looked for", async () => {
    await read();
    await recordAndStall();
    plan(listing({ status: 503 }));
    await timePasses(5_000);
    await followDue();
    expect((await read()).openSaves).toMatchObject([
      { outcome: "unclear", by: expect.stringMatching(/^The admin/) as string },
    ]);
    expect(await outcomes()).toEqual(["unclear"]);
  });

  it("and that nobody answered until its time was over is closed by a look, which says until when it was shown", async () => {
    const { record } = await recordAndStall();
    await partner.register({ url, authorization: value });
    await read();
    await timePasses(windowMs);
    await read();
    await timePasses(lastsMs);
    await read();
    expect(await ask(record.id)).toMatchObject({ outcome: "saved" });
    expect(await rowOf("changes", { id: record.id })).toMatchObject({ state: "answered" });
    await read();
    expect(await rowOf("changes", { id: record.id })).toMatchObject({ state: "closed" });
  });

  it("and is not shown any more once it is answered is not said to be shown by later looks", async () => {
    const { record } = await recordAndStall();
    await partner.register({ url, authorization: value });
    await read();
    await timePasses(windowMs);
    await read();
    await timePasses(lastsMs);
    await read();
    expect(await ask(record.id)).toMatchObject({ outcome: "saved" });
    await partner.register({ url: "https://x.example/hook" });
    await read();
    const { results } = (await ask(record.id)) as { results: { shownUntil?: string }[] };
    for (const { shownUntil } of results) expect(shownUntil).toBeDefined();
  });

  it("was sent last: no other value is kept after it, and its own can be", async () => {
    expect(await ending({ authorization: replace("Bearer one") })).toMatchObject(saved);
    await recordAndStall();
    signInAs(await partner.person("admin"));
    const moved = { url: `${url}/other`, authorization: keep } as const;
    expect(await save({ type: "both", ...moved })).toMatchObject({
      outcome: "retype_other_value",
    });
    await partner.register({ url, authorization: value });
    expect(await save({ type: "both", ...moved })).toMatchObject({ outcome: "saved" });
  });

  it("may have set a value where none was: no editor moves it to another host (threat: a value sent elsewhere)", async () => {
    expect(await ending({ authorization: remove })).toMatchObject(saved);
    await recordAndStall();
    signInAs(await partner.person("editor"));
    const moved = { url: "https://elsewhere.example/hook", authorization: remove } as const;
    expect(await save({ type: "both", ...moved })).toMatchObject({
      outcome: "retype_for_new_origin",
    });
  });

  it("does not block the next save for longer than that waits", async () => {
    // A killed process renews no lock.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    expect(await lockConnection(partner.connectionId, 0)).not.toBeNull();
    vi.useRealTimers();
    expect(await ending()).toMatchObject(saved);
  });

  const unsaid = { ...noClearAnswer, results: [] };
  it.each<[string, "list" | "register", Rule[], object]>([
    [
      "before it sent anything, answers that nothing was saved",
      "list",
      [],
      { ...notSent, results: [] },
    ],
    ["while it was sending, answers that the outcome is unknown", "register", [], unsaid],
    [
      "while it was sending, and cannot read back either, answers the same",
      "register",
      [listing({ status: 503 }, { from: 2 })],
      unsaid,
    ],
  ])("one that lost its lock %s", async (_when, kind, rules, expected) => {
    plan({ kind, action: { held: true } }, ...rules);
    const ended = ending();
    await expect.poll(() => upstream.received().some((call) => call.kind === kind)).toBe(true);
    await giveLockAway();
    upstream.release();
    expect(await ended).toMatchObject(expected);
    const rows = db()
      .selectFrom("changes")
      .select("answers_json")
      .where("partner_id", "=", partner.id);
    expect(await rows.execute(), "others say what is known of it").toEqual(
      kind === "list" ? [] : [{ answers_json: null }],
    );
  });

  const giveLockAway = () =>
    update("leases", { holder: "another process" }, { name: `save:${partner.connectionId}` });

  it("one that stalled between its intent and the first byte takes back nothing: it was not sent, whatever others recorded meanwhile", async () => {
    const operation = randomUUID();
    const { performance: clock } = globalThis;
    const real = clock.now.bind(clock);
    let ahead = 0;
    vi.spyOn(clock, "now").mockImplementation(() => real() + ahead);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.mocked(recordIntent).mockImplementationOnce(async (...args) => {
      const sent = await original.recordIntent(...args);
      await giveLockAway();
      await update("leases", { expires_at: 0 }, { name: `save:${partner.connectionId}` });
      await followDueNow();
      expect(await ask(operation)).toMatchObject({ results: both("unclear") });
      ahead = 46_000;
      return sent;
    });
    const told = await ending({ operation });
    expect(told).toMatchObject({ outcome: "not_sent" });
    expect(upstream.counts().register).toBe(0);
    expect(await ask(operation)).toMatchObject({ outcome: "not_sent", results: both("not_sent") });
    expect(await outcomes()).toEqual(["not_sent", "unclear"]);
  });
});

describe("a person who is erased while their request is under way (threat: an address that comes back)", () => {
  const stored = () => rowOf("changes", { partner_id: partner.id });
  const gone = { client_address: null };
  let email: string;

  beforeEach(async () => {
    const id = await partner.person("editor");
    signInAs(id);
    ({ email } = await rowOf("users", { id }));
    plan(heldReading);
  });

  async function eraseDuring(request: Promise<unknown>) {
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await erasePerson(db(), email)).toEqual({ outcome: "erased" });
    upstream.release();
    await request;
  }

  it("has no address in the record of a save that is refused", async () => {
    await eraseDuring(ending({ revision: "stale" }));
    expect(await stored()).toMatchObject(gone);
  });
});

describe("how far a save is", () => {
  it("is shown in order while it is in progress, and never afterwards", async () => {
    plan(onRegister({ held: true }), { kind: "list", action: { held: true } });
    const operation = randomUUID();
    const step = () => readStep(partner.id, "sandbox", operation);
    expect(await step()).toBeNull();
    const saving = ending({ operation });
    const calls = () => upstream.counts().list + upstream.counts().register;
    for (const [at, shown] of ["preparing", "sending", "reading_back"].entries()) {
      await expect.poll(calls, { interval: 5 }).toBe(at + 1);
      expect(await step()).toBe(shown);
      upstream.release();
    }
    expect(await saving).toMatchObject(saved);
    expect(await step()).toBeNull();
  });

  it("is for people who see the partner's webhooks (threat: somebody else who knows the id)", async () => {
    plan(onRegister({ held: true }));
    const other = await world.partner();
    const operation = randomUUID();
    const saving = ending({ operation });
    await expect.poll(() => readStep(partner.id, "sandbox", operation)).toBe("sending");
    expect(await codeOf(readStep(partner.id, "nowhere", operation))).toBe("not_found");
    signInAs(await other.person("admin"));
    expect(await readStep(other.id, "sandbox", operation)).toBeNull();
    expect(await codeOf(readStep(partner.id, "sandbox", operation))).toBe("not_found");
    upstream.release();
    await saving;
  });
});
