import type { Action, Rule } from "@/e2e/faulty-upstream/plan";
import { db } from "@/lib/platform/database/open";
import { findOverview } from "@/lib/partners/server/list/overview";
import { randomUUID } from "node:crypto";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Secret } from "@/lib/platform/runtime/secret";
import { fingerprint } from "@/lib/platform/secrets/partner-mac";
import { connectionRefOnTrust } from "@/lib/webhooks/server/read/read";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { lockConnection } from "./connection-lock";
import { followDue } from "./follow-saves";
import { markSent, recordIntent, type SaveRecord } from "./save-record";
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
  readUntilEnded,
  save,
  sentAgo,
  showing,
  upstream,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";

inWorld();

const onRegister = (action: Action): Rule => ({ kind: "register", action });

/** Registers both types, for the first time. */
const ending = (request: Partial<SaveRequest> = {}) =>
  save({ type: "both", revision: null, authorization: keep, ...request });

const both = (outcome: string) => [
  { type: "pix_in", outcome },
  { type: "pix_out", outcome },
];
const notSaved = { applied: "no", outcome: "not_saved", results: both("not_saved") };
const saved = { outcome: "saved", results: both("created") };
const accepted = { outcome: "accepted", results: both("accepted") };
const outcomeUnknown = { code: "outcome_unknown", applied: "unknown", outcome: "unknown" };
const unknown = { ...outcomeUnknown, results: both("unknown") };

/** The client's tests cover each fault of the connection; these cover its effect on a save. */
describe("a write whose answer is wrong or lost", () => {
  it.each<[string, Action, object]>([
    ["applied, then cut: saved", { apply: "first", cutAfter: 0, ending: "reset" }, saved],
    [
      "cut, and the old state is shown: unknown, since it may be applied later",
      { apply: "never", cutAfter: 0, ending: "reset" },
      unknown,
    ],
    [
      "refused with a reason: not saved",
      answering(422).action,
      { ...notSaved, code: "upstream_rejected" },
    ],
    [
      "asked to slow down: unknown, since something in between may have answered",
      answering(429).action,
      unknown,
    ],
  ])("%s", async (_name, action, expected) => {
    plan(onRegister(action));
    expect(await ending()).toMatchObject(expected);
    expect(upstream.counts().register).toBe(1);
    expect(await held()).toEqual(expected === saved ? [url, url] : []);
  });

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
    expect(await ending()).toMatchObject(unknown);
    expect(await held()).toEqual([url, url]);
    plan();
    const { webhooks } = await readUntilEnded();
    expect(await outcomes()).toEqual(["saved", "unknown"]);
    // The save sets no value, so another client may have set the same address.
    expect(webhooks.map((webhook) => webhook.lastChange)).toEqual([null, null]);
  });

  it("that is never shown ends after it was followed for its time, whatever the wall clock says", async () => {
    plan(onRegister({ apply: "never", cutAfter: 0, ending: "reset" }));
    expect(await ending()).toMatchObject(unknown);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    // The wall clock jumped: no time has passed.
    expect(await outcomes()).toEqual(["unknown"]);
    await sentAgo(601_000);
    await readUntilEnded();
    expect(await outcomes()).toEqual(["not_applied", "unknown"]);
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
    expect(await ending()).toMatchObject({ ...notSaved, code });
    expect(upstream.counts().register).toBe(0);
    const connection = { baseUrl: upstream.url, clientId: partner.clientId };
    const connectionRef = { partnerId: partner.id, environment: "sandbox", connection };
    const overview = await findOverview(db(), connectionRef);
    expect(overview, "the list of partners shows it").toMatchObject({ fault_code: code });
    plan();
    expect(await held()).toEqual([]);
    expect(await history()).toMatchObject([
      { kind: "save_attempt", outcome: null },
      { kind: "save", outcome: "not_saved" },
    ]);
  },
);

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
    const refused = { ...notSaved, code: "misconfigured" };
    expect(await ending({ url: `${url}/2`, revision })).toMatchObject(refused);
    expect(upstream.counts().register).toBe(0);
    plan();
    expect(await outcomes()).toEqual(["not_saved"]);
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
    await sentAgo(61_000);
    expect(await outcomes()).toEqual(["accepted"]);
    plan();
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("is no state to compare with: no author is named for what is shown after it", async () => {
    plan(otherWords);
    await partner.register({ url });
    expect((await read()).webhooks).toEqual([]);
    plan();
    expect(await read()).toMatchObject({ recentChanges: [], webhooks: [{ lastChange: null }, {}] });
  });
});

describe("a process that died during a save", () => {
  const value = "Bearer crashed";

  /** Records an intent to register both types, under a lease that then expires. */
  async function recordAndStall() {
    const typed = await fingerprint(db(), partner.id, new Secret(value));
    const desired = { callbackUrl: url, fingerprint: typed };
    const { connection } = await connectionRefOnTrust(partner.id, partner.environment);
    const lease = await lockConnection(partner.connectionId, 0);
    if (!lease) throw new Error("another save holds the lock");
    const intent = {
      partnerId: partner.id,
      environment: partner.environment,
      connection,
      id: randomUUID(),
      asked: { type: "both", url, authorization: "replace" } as const,
      requestId: "crashed",
      actor: { id: await partner.person("admin"), name: "The admin", clientAddress: null },
      before: webhookTypes.map((type) => ({ type, state: null })),
      desired: webhookTypes.map((type) => ({ type, state: desired })),
    };
    const record = await recordIntent(intent, lease);
    await lease.release();
    return { record, lease };
  }

  async function markAsSent(record: SaveRecord) {
    const again = await lockConnection(partner.connectionId, 0);
    if (again) await markSent(record, again);
    await again?.release();
  }

  it.each([
    ["before sending: the next reading closes it as not saved", "recorded", ["not_saved"]],
    [
      "after the service took it: later readings close it as saved by the person who pressed save",
      "sent",
      ["saved", "unknown"],
    ],
  ] as const)("%s", async (_when, state, said) => {
    const { record } = await recordAndStall();
    if (state === "sent") {
      await markAsSent(record);
      await partner.register({ url, authorization: value });
    }
    await readUntilEnded();
    expect(await outcomes()).toEqual(said);
  });

  it("after it was sent, while the service cannot be read: it is unknown, and followed", async () => {
    await read();
    const { record } = await recordAndStall();
    await markAsSent(record);
    plan(listing({ status: 503 }));
    await sentAgo(5_000);
    await followDue();
    expect((await read()).openSaves).toMatchObject([{ outcome: "unknown", by: "The admin" }]);
    expect(await outcomes()).toEqual(["unknown"]);
  });

  it("does not block the next save for longer than that waits", async () => {
    // A killed process renews no lock.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    expect(await lockConnection(partner.connectionId, 0)).not.toBeNull();
    vi.useRealTimers();
    expect(await ending()).toMatchObject(saved);
  });

  const unsaid = { ...outcomeUnknown, results: [] };
  it.each<[string, "list" | "register", Rule[], object]>([
    [
      "before it sent anything, answers that nothing was saved",
      "list",
      [],
      { ...notSaved, results: [] },
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
    const rows = db().selectFrom("changes").select("outcome").where("partner_id", "=", partner.id);
    expect(await rows.execute(), "others say how it ends").toEqual(
      kind === "list" ? [] : [{ outcome: null }],
    );
  });

  const giveLockAway = () =>
    update("leases", { holder: "another process" }, { name: `save:${partner.connectionId}` });

  it("one that stalled until others had ended its save sends nothing and records no other outcome", async () => {
    const { record, lease } = await recordAndStall();
    await read();
    expect(await markSent(record, lease)).toBeNull();
    expect(await outcomes()).toEqual(["not_saved"]);
  });
});

describe("a person who is erased while their request is under way (threat: a name that comes back)", () => {
  const stored = () => rowOf("changes", { partner_id: partner.id });
  const gone = { author_name: "Erased person", client_address: null };
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

  it("has no name in the record of a save that is refused", async () => {
    await eraseDuring(ending({ revision: "stale" }));
    expect(await stored()).toMatchObject(gone);
  });

  it("has none in that of a save that is made void", async () => {
    await eraseDuring(ask(randomUUID()));
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
