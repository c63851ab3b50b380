import type { Action, Rule } from "@/e2e/faulty-upstream/plan";
import { db } from "@/lib/platform/database/open";
import { findOverview } from "@/lib/partners/server/list/overview";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { randomUUID } from "node:crypto";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { lockConnection } from "./connection-lock";
import { markSent } from "./save-record";
import { erasePerson } from "@/lib/retention/server/erase-person";
import { readOperation, readStep, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  held,
  history,
  inWorld,
  partner,
  read,
  readUntilEnded,
  sentAgo,
  upstream,
  world,
} from "@/lib/webhooks/testing/in-world";

inWorld();

const url = "https://hooks.example.com/pix";

function plan(...rules: Rule[]) {
  upstream.setPlan({ rules });
}
const onRegister = (action: Action, more: Partial<Rule> = {}): Rule => ({
  kind: "register",
  ...more,
  action,
});

function save(request: Partial<SaveRequest> = {}) {
  const body: SaveRequest = {
    type: "both",
    url,
    revision: null,
    authorization: { action: "keep" },
    ...request,
  };
  return saveConfiguration(partner.id, "sandbox", body, {
    requestId: "test-save",
    clientAddress: "192.0.2.7",
  });
}

/** How a save ended, whether answered or thrown. */
async function ending(request: Partial<SaveRequest> = {}) {
  try {
    const { outcome, results } = await save(request);
    return { code: "ok", outcome, results: results.map((result) => result.outcome) };
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const { applied, extra } = thrown.init;
    const results = extra?.["results"] as { outcome: string }[] | undefined;
    return {
      code: thrown.code,
      applied,
      outcome: extra?.["outcome"],
      results: results?.map((result) => result.outcome),
    };
  }
}

const notSaved = { applied: "no", outcome: "not_saved", results: ["not_saved", "not_saved"] };
const saved = { code: "ok", outcome: "saved", results: ["created", "created"] };
const accepted = { code: "ok", outcome: "accepted", results: ["accepted", "accepted"] };
const unknown = {
  code: "outcome_unknown",
  applied: "unknown",
  outcome: "unknown",
  results: ["unknown", "unknown"],
};

describe("a write whose answer is wrong or lost", () => {
  it.each<[string, Action, object]>([
    ["applied, then cut: saved", { apply: "first", cutAfter: 0, ending: "reset" }, saved],
    [
      "applied, then cut in the answer: saved",
      { apply: "first", cutAfter: 40, ending: "close" },
      saved,
    ],
    ["applied, then 500: saved", { apply: "first", answer: { status: 500, body: "{}" } }, saved],
    [
      "applied, then HTML: saved",
      {
        apply: "first",
        answer: { status: 200, body: "<p>", headers: { "content-type": "text/html" } },
      },
      saved,
    ],
    [
      "cut, and the old state is shown: unknown, since it may be applied later",
      { apply: "never", cutAfter: 0, ending: "reset" },
      unknown,
    ],
    ["500, and the old state is shown: unknown", { answer: { status: 500, body: "{}" } }, unknown],
    [
      "200, and the old state is shown: accepted",
      { answer: { status: 200, body: '{"message":"ok"}' } },
      accepted,
    ],
    [
      "refused with a reason: not saved",
      { answer: { status: 422, body: '{"error":"no such host"}' } },
      { ...notSaved, code: "upstream_rejected" },
    ],
    [
      "refused with a reason, and applied all the same: saved",
      { apply: "first", answer: { status: 422, body: '{"error":"no such host"}' } },
      saved,
    ],
    [
      "asked to slow down: unknown, since something in between may have answered",
      { answer: { status: 429, headers: { "retry-after": "7" } } },
      unknown,
    ],
    ["409 after it was applied: saved", { apply: "first", answer: { status: 409 } }, saved],
  ])("%s", async (_name, action, expected) => {
    plan(onRegister(action));
    expect(await ending()).toEqual(expected);
    expect(upstream.counts().register).toBe(1);
    expect(await held()).toEqual(expected === saved ? [url, url] : []);
  });

  it("shows late: saved once it is there, within the time of the save", async () => {
    plan(onRegister({ apply: "first", answer: { status: 500, body: "{}" } }), {
      kind: "list",
      from: 2,
      times: 1,
      action: { answer: { body: '{"webhooks":[]}' } },
    });
    expect(await ending()).toEqual(saved);
  });

  it("cannot be read back: unknown, and later readings settle it as saved by this person", async () => {
    plan(onRegister({ apply: "first", cutAfter: 0, ending: "reset" }), {
      kind: "list",
      from: 2,
      action: { answer: { status: 503, body: "{}" } },
    });
    expect(await ending()).toEqual(unknown);
    upstream.setPlan({ rules: [] });
    const { recentChanges, webhooks } = await readUntilEnded();
    expect(recentChanges.map((entry) => [entry.kind, entry.outcome])).toEqual([
      ["save", "saved"],
      ["save", "unknown"],
    ]);
    expect(webhooks.map((webhook) => webhook.lastChange?.by)).toEqual(["The admin", "The admin"]);
  });

  it("shows the old state only before it is applied, and cannot be read after: unknown, not a false 'not saved'", async () => {
    plan(
      onRegister({ apply: "first", answer: { status: 500, body: "{}" } }),
      { kind: "list", from: 2, times: 2, action: { answer: { body: '{"webhooks":[]}' } } },
      { kind: "list", from: 4, action: { answer: { status: 503, body: "{}" } } },
    );
    expect((await ending()).outcome).toBe("unknown");
    expect(await held()).toEqual([url, url]);
  });

  it("that is never shown ends after it was followed for its time, whatever the time of day", async () => {
    plan(onRegister({ apply: "never", cutAfter: 0, ending: "reset" }));
    expect((await ending()).outcome).toBe("unknown");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * 60_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const outcomes = async () => (await read()).recentChanges.map((entry) => entry.outcome);
    // The time of day jumped: no time has passed.
    expect(await outcomes()).toEqual(["unknown"]);
    expect((await read()).openSaves).toMatchObject([{ outcome: "unknown", by: "The admin" }]);
    await sentAgo(601_000);
    expect(await outcomes()).toEqual(["not_applied", "unknown"]);
    expect(await read()).toMatchObject({
      openSaves: [],
      recentChanges: [{ earlier: "unknown" }, {}],
    });
  });

  it("for both types, one of which converged: partly saved", async () => {
    await partner.registerKnown({ url, type: "pix_in", authorization: "Bearer in" });
    await partner.registerKnown({ url, type: "pix_out", authorization: "Bearer out" });
    const { revision } = await read();
    plan(onRegister({ answer: { status: 422, body: "{}" } }, { from: 2 }));
    expect(await ending({ url: `${url}/2`, revision })).toEqual({
      code: "partly_saved",
      applied: "unknown",
      outcome: "partial",
      results: ["overwritten", "not_saved"],
    });
    expect(await held()).toEqual([`${url}/2`, url]);
  });
});

describe("a reading that fails before anything was sent", () => {
  it.each<[string, Rule, string]>([
    [
      "500",
      { kind: "list", action: { answer: { status: 500, body: "{}" } } },
      "upstream_unavailable",
    ],
    [
      "a token that is refused",
      { kind: "token", action: { answer: { status: 401, body: "{}" } } },
      "credentials_rejected",
    ],
    [
      "another 404",
      {
        kind: "list",
        action: { answer: { status: 404, body: "<p>", headers: { "content-type": "text/html" } } },
      },
      "misconfigured",
    ],
  ])("%s: not saved, and nothing is sent", async (_name, rule, code) => {
    plan(rule);
    expect(await ending()).toEqual({ ...notSaved, code });
    expect(upstream.counts().register).toBe(0);
    const connection = { baseUrl: upstream.url, clientId: partner.clientId };
    const connectionRef = { partnerId: partner.id, environment: "sandbox", connection };
    const overview = await findOverview(db(), connectionRef);
    expect(overview, "the list of partners shows it").toMatchObject({ fault_code: code });
    upstream.setPlan({ rules: [] });
    expect(await held()).toEqual([]);
    expect(await history()).toMatchObject([
      { kind: "save_attempt", outcome: null },
      { kind: "save", outcome: "not_saved" },
    ]);
  });
});

describe("a 404 in other words than the contract's", () => {
  const otherWords: Rule = {
    kind: "list",
    action: { answer: { status: 404, body: '{"message":"no such route"}' } },
  };

  it("does not make the registered version vanish: it is shown as old, and nothing is saved or recorded", async () => {
    await partner.register({ url });
    const { revision } = await read();
    plan(otherWords);
    expect(await read()).toMatchObject({
      stale: true,
      staleReason: { code: "misconfigured" },
      revision,
      webhooks: [{ callbackUrl: url }, { callbackUrl: url }],
    });
    expect(await ending({ url: `${url}/2`, revision })).toEqual({
      ...notSaved,
      code: "misconfigured",
    });
    expect(upstream.counts().register).toBe(0);
    upstream.setPlan({ rules: [] });
    const { recentChanges } = await read();
    expect(recentChanges.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["save", "not_saved"],
    ]);
  });

  it("after a save that was applied is unknown, not a false 'not saved', until it can be read", async () => {
    plan(otherWords);
    expect(await read()).toMatchObject({ unclear: true, stale: false, webhooks: [] });
    expect((await ending()).code).toBe("confirmation_required");
    expect(await ending({ confirm: true })).toEqual(accepted);
    expect(await held()).toEqual([url, url]);
    await sentAgo(61_000);
    expect((await read()).recentChanges.map((entry) => entry.outcome)).toEqual(["accepted"]);
    upstream.setPlan({ rules: [] });
    const { recentChanges } = await read();
    expect(recentChanges.map(({ outcome, actor }) => [outcome, actor?.name])).toEqual([
      ["saved", "The admin"],
      ["accepted", "The admin"],
    ]);
  });

  it("is nothing to compare with: nobody is named for what shows up after it", async () => {
    plan(otherWords);
    await partner.register({ url });
    expect((await read()).webhooks).toEqual([]);
    upstream.setPlan({ rules: [] });
    expect(await read()).toMatchObject({ recentChanges: [], webhooks: [{ lastChange: null }, {}] });
  });
});

describe("a process that died during a save", () => {
  async function leave(state: "recorded" | "sent") {
    const { applyAndCrash } = await import("@/lib/webhooks/testing/crash");
    await applyAndCrash({ partner, state, url, apply: state === "sent" });
  }

  it("before sending: the next reading closes it as not saved", async () => {
    await leave("recorded");
    expect((await read()).recentChanges.map((entry) => entry.outcome)).toEqual(["not_saved"]);
  });

  it("after the service took it: later readings close it as saved by the person who pressed save", async () => {
    await leave("sent");
    const { recentChanges } = await readUntilEnded();
    expect(recentChanges.map((entry) => [entry.outcome, entry.actor?.name])).toEqual([
      ["saved", expect.stringMatching(/^The admin\b/)],
      ["unknown", expect.stringMatching(/^The admin\b/)],
    ]);
  });

  it("does not keep the next save from its turn for longer than that waits", async () => {
    // Killed, it renews no lock.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    expect(await lockConnection(partner.connectionId, 0)).not.toBeNull();
    vi.useRealTimers();
    expect(await ending()).toEqual(saved);
  });

  it.each([
    ["before it sent anything, says that nothing was saved", "list", { ...notSaved, results: [] }],
    ["while it was sending, says that it does not know", "register", { ...unknown, results: [] }],
  ] as const)("one whose lock went to somebody else %s", async (_when, kind, expected) => {
    plan({ kind, action: { held: true } });
    const ended = ending();
    await expect.poll(() => upstream.received().some((call) => call.kind === kind)).toBe(true);
    await giveLockAway();
    upstream.release();
    expect(await ended).toMatchObject(expected);
  });

  it("one whose lock went to somebody else, and that cannot read back, leaves the outcome to them", async () => {
    plan(onRegister({ held: true, answer: { status: 200, body: "{}" } }), {
      kind: "list",
      from: 2,
      action: { answer: { status: 503, body: "{}" } },
    });
    const ended = ending();
    await expect.poll(() => upstream.counts().register).toBe(1);
    await giveLockAway();
    upstream.release();
    expect(await ended).toMatchObject({ ...unknown, results: [] });
    const { state, outcome } = await rowOf("changes", { partner_id: partner.id });
    expect({ state, outcome }).toEqual({ state: "sent", outcome: null });
  });

  async function giveLockAway() {
    await update("leases", { holder: "another process" }, { name: `save:${partner.connectionId}` });
  }

  it("and one that only stood still, until others had ended its save, sends nothing and records no other outcome", async () => {
    const { recordAndStall } = await import("@/lib/webhooks/testing/crash");
    const { record, lease } = await recordAndStall({ partner, url });
    await read();
    expect(await markSent(record, lease)).toBeNull();
    expect((await read()).recentChanges.map((entry) => entry.outcome)).toEqual(["not_saved"]);
  });
});

describe("a person who is erased while their request is under way (threat: a name that comes back)", () => {
  const stored = async () => {
    const columns = ["author_name", "client_address"] as const;
    const row = db().selectFrom("changes").select(columns).where("partner_id", "=", partner.id);
    return row.executeTakeFirstOrThrow();
  };
  const gone = { author_name: "Erased person", client_address: null };
  let email: string;

  beforeEach(async () => {
    const person = await partner.person("editor");
    signInAs(person);
    const row = db().selectFrom("users").select("email").where("id", "=", person);
    ({ email } = await row.executeTakeFirstOrThrow());
    plan({ kind: "list", times: 1, action: { held: true } });
  });

  async function eraseDuring(request: Promise<unknown>) {
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await erasePerson(db(), email)).toEqual({ outcome: "erased" });
    upstream.release();
    await request;
  }

  it("has no name in the record of a save that is refused", async () => {
    await eraseDuring(ending({ revision: "stale" }));
    expect(await stored()).toEqual(gone);
  });

  it("has none in that of a press that is given up", async () => {
    const context = { requestId: "test-ask" };
    await eraseDuring(readOperation(partner.id, "sandbox", randomUUID(), context));
    expect(await stored()).toEqual(gone);
  });
});

describe("how far a save is", () => {
  it("is shown while it is in progress, in order, and never afterwards", async () => {
    plan(onRegister({ held: true }), { kind: "list", action: { held: true } });
    const operation = randomUUID();
    const ask = () => readStep(partner.id, "sandbox", operation);
    expect(await ask()).toBeNull();
    const saved = save({ operation });
    const calls = () => upstream.counts().list + upstream.counts().register;
    for (const [at, step] of ["preparing", "sending", "reading_back"].entries()) {
      await expect.poll(calls, { interval: 5 }).toBe(at + 1);
      expect(await ask()).toBe(step);
      upstream.release();
    }
    expect(await saved).toMatchObject({ outcome: "saved" });
    expect(await ask()).toBeNull();
  });

  it("never shows an unsent step as sent (threat: a screen that says more than is so)", async () => {
    plan({ kind: "list", action: { delayMs: 20, answer: { status: 503, body: "{}" } } });
    const operation = randomUUID();
    let isOver = false;
    const ended = ending({ operation }).finally(() => (isOver = true));
    const reported = new Set<string | null>();
    const listen = async () => {
      reported.add(await readStep(partner.id, "sandbox", operation));
      return isOver;
    };
    await expect.poll(listen, { interval: 10 }).toBe(true);
    expect(await ended).toMatchObject({ applied: "no" });
    expect(reported).toEqual(new Set(["preparing", null]));
  });

  it("is for people who see the partner's webhooks (threat: somebody else who knows the id)", async () => {
    plan(onRegister({ held: true }));
    const other = await world.partner();
    const operation = randomUUID();
    const saved = save({ operation });
    await expect.poll(() => readStep(partner.id, "sandbox", operation)).toBe("sending");
    await expect(readStep(partner.id, "nowhere", operation)).rejects.toMatchObject({
      code: "not_found",
    });
    signInAs(await other.person("admin"));
    expect(await readStep(other.id, "sandbox", operation)).toBeNull();
    await expect(readStep(partner.id, "sandbox", operation)).rejects.toMatchObject({
      code: "not_found",
    });
    upstream.release();
    await saved;
  });
});
