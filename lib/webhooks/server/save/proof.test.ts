import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import type { Action, Rule } from "@/e2e/faulty-upstream/plan";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { randomUUID } from "node:crypto";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isLocked, lockConnection } from "./connection-lock";
import { followDue } from "./follow-saves";
import { newer } from "@/lib/webhooks/client/query";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { readOperation, readStep, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
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
const replace = (value: string) => ({ action: "replace", value }) as const;

const ask = (operation: string) =>
  readOperation(partner.id, "sandbox", operation, { requestId: "test-ask" });
const outcomes = async () =>
  (await read()).recentChanges.map(({ kind, outcome, actor }) => [
    kind,
    outcome,
    actor?.name ?? null,
  ]);

/** Saves on the registered version, and returns the outcome, whether answered or thrown. */
async function save(request: Partial<SaveRequest> = {}) {
  const revision = request.revision === undefined ? (await read()).revision : request.revision;
  const authorization = replace("Bearer typed");
  const body: SaveRequest = { type: "pix_in", url, authorization, ...request, revision };
  const context = { requestId: randomUUID(), clientAddress: null };
  try {
    const { outcome, results } = await saveConfiguration(partner.id, "sandbox", body, context);
    return { outcome, results };
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const { errors, extra } = thrown.init;
    return {
      outcome: extra?.["outcome"] ?? errors?.[0]?.code ?? thrown.code,
      results: extra?.["results"],
    };
  }
}

/** The service acknowledges the write, and shows nothing of it. */
const forgotten: Rule = {
  kind: "register",
  times: 1,
  action: { apply: "never", answer: { status: 200, body: '{"message":"ok"}' } },
};

const answering = (status: number, apply: "first" | "never"): Rule => ({
  kind: "register",
  times: 1,
  action: { apply, answer: { status, body: '{"error":"made up"}' } },
});

/** Saves what the service acknowledges, and shows nothing of. */
async function saveUnseen() {
  upstream.setPlan({ rules: [forgotten] });
  expect(await save()).toMatchObject({ outcome: "accepted" });
}

/** Saves what the service answers so, and does not apply. */
function saveAnswered(status: number) {
  upstream.setPlan({ rules: [answering(status, "never")] });
  return save();
}

/** Whatever is still found out of saves until their time is over. */
async function followToTheEnd() {
  await sentAgo(600_000);
  await followDue();
}

/** The delayed write takes effect after all. */
const takeIt = () => partner.register({ url, type: "pix_in", authorization: "Bearer typed" });

it("corrects the outcome of a refused save of both types, one of which takes effect while the other is still followed", async () => {
  upstream.setPlan({ rules: [answering(422, "never")] });
  expect(await save({ type: "both" })).toMatchObject({ outcome: "not_saved" });
  const late = { url, type: "pix_out", authorization: "Bearer typed" };
  await partner.register(late);
  await partner.register({ url: `${url}/other`, type: "pix_in" });
  await read();
  await expect
    .poll(async () => (await read()).recentChanges.find(({ kind }) => kind === "save"))
    .toMatchObject({
      outcome: "partial",
      earlier: "not_saved",
      changes: [
        { type: "pix_in", outcome: "not_saved" },
        { type: "pix_out", outcome: "created", refused: true },
      ],
    });
  await followToTheEnd();
  expect((await outcomes()).filter(([kind]) => kind === "save")).toEqual([
    ["save", "partial", "The admin"],
    ["save", "not_saved", "The admin"],
  ]);
});

type Stored = { past: object; returned: { pix_in?: { at: number } } };

async function changeStored(change: (stored: Stored) => void) {
  const { snapshot_json } = await rowOf("confirmed_configurations", {
    connection_id: partner.connectionId,
  });
  const stored = JSON.parse(snapshot_json ?? "") as Stored;
  change(stored);
  await update(
    "confirmed_configurations",
    { snapshot_json: JSON.stringify(stored) },
    { connection_id: partner.connectionId },
  );
}

describe("a write that is acknowledged and shows later", () => {
  it("is accepted, and is credited to its author once it shows: never to somebody unknown", async () => {
    await saveUnseen();
    expect(await read()).toMatchObject({
      webhooks: [],
      openSaves: [{ outcome: "accepted", types: ["pix_in"], by: "The admin" }],
    });
    await takeIt();
    await sentAgo(5_000);
    await followDue();
    expect(await read()).toMatchObject({
      openSaves: [],
      webhooks: [{ callbackUrl: url, lastChange: { by: "The admin" } }],
    });
    expect(await outcomes()).toEqual([
      ["save", "saved", "The admin"],
      ["save", "accepted", "The admin"],
    ]);
  });

  it("of the value alone is not called overtaken by a later save, where the list shows no value", async () => {
    await partner.register({ url, type: "pix_in" });
    await listShowing(null);
    expect(await save()).toMatchObject({ outcome: "accepted" });
    await save({ url: `${url}/other` });
    const said = (await outcomes()).map(([, outcome]) => outcome);
    expect(said).toEqual(["accepted", "accepted", "accepted"]);
  });

  it("of a value alone is not called not applied where the list showed no value before: it may show none", async () => {
    await save({ authorization: { action: "remove" } });
    await listShowing(null);
    expect(await save()).toMatchObject({ outcome: "accepted" });
    await followToTheEnd();
    expect((await outcomes())[0]).toEqual(["save", "accepted", "The admin"]);
  });

  it("and never shows, was not applied: recorded by the follower once, with the earlier outcome beside it", async () => {
    await saveUnseen();
    await sentAgo(60_000);
    await followDue();
    expect((await read()).openSaves).toHaveLength(1);
    await followToTheEnd();
    await followDue();
    expect(await read()).toMatchObject({
      openSaves: [],
      recentChanges: [{ earlier: "accepted" }, {}],
    });
    expect(await outcomes()).toEqual([
      ["save", "not_applied", "The admin"],
      ["save", "accepted", "The admin"],
    ]);
  });

  it("and was seen with another value before the old state is back, was overtaken", async () => {
    await save({ url: `${url}/old` });
    await saveUnseen();
    await takeIt();
    await listShowing("prefix");
    await read();
    upstream.setPlan({ rules: [] });
    const old = { url: `${url}/old`, type: "pix_in", authorization: "Bearer typed" };
    await partner.register(old);
    await followToTheEnd();
    await followDue();
    const [, outcome] = (await outcomes()).find(([kind]) => kind === "save") ?? [];
    expect(outcome).toBe("overtaken");
  });

  it("is overtaken by a later save that found the old state, and credited all the same if it comes late", async () => {
    await saveUnseen();
    expect(await save({ url: `${url}/2` })).toMatchObject({ outcome: "saved" });
    expect(await outcomes()).toEqual([
      ["save", "saved", "The admin"],
      ["save", "overtaken", "The admin"],
      ["save", "accepted", "The admin"],
    ]);
    await takeIt();
    const { webhooks, recentChanges } = await read();
    expect(webhooks).toMatchObject([{ callbackUrl: url, lastChange: { by: "The admin" } }]);
    expect(recentChanges[0]).toMatchObject({ outcome: "saved", earlier: "overtaken" });
  });

  it.each([
    ["refused as stale", { url: `${url}/2`, revision: "stale" }],
    ["refused by the service", { url: `${url}/2` }],
  ])("is not overtaken by a later save that was %s", async (_how, request) => {
    upstream.setPlan({ rules: [forgotten] });
    const operation = randomUUID();
    expect(await save({ operation })).toMatchObject({ outcome: "accepted" });
    upstream.setPlan({ rules: [answering(422, "never")] });
    await save(request);
    expect(await ask(operation)).toMatchObject({ outcome: "accepted", open: true });
    await takeIt();
    expect((await read()).webhooks).toMatchObject([{ lastChange: { by: "The admin" } }]);
    expect((await outcomes()).map(([, outcome]) => outcome)).not.toContain("overtaken");
  });

  it("and shows during a later save is credited to its author, not to somebody unknown", async () => {
    await saveUnseen();
    const { revision } = await read();
    const action = { ...forgotten.action, held: true };
    upstream.setPlan({ rules: [{ ...forgotten, action }] });
    const later = save({ type: "pix_out", url: `${url}/2`, revision });
    await expect.poll(() => upstream.counts().register).toBe(1);
    await takeIt();
    upstream.release();
    expect(await later).toMatchObject({ outcome: "accepted" });
    expect(await outcomes()).toEqual([
      ["save", "accepted", "The admin"],
      ["save", "saved", "The admin"],
      ["save", "accepted", "The admin"],
    ]);
  });

  it("and shows when the service can be read again, after its time was over, is credited to its author", async () => {
    await saveUnseen();
    upstream.setPlan({
      rules: [{ kind: "list", action: { apply: "never", answer: { status: 503 } } }],
    });
    for (let round = 1; round <= 3; round += 1) {
      await sentAgo(round * 600_000);
      await followDue();
    }
    await takeIt();
    upstream.setPlan({ rules: [] });
    expect(await read()).toMatchObject({
      openSaves: [],
      webhooks: [{ callbackUrl: url, lastChange: { by: "The admin" } }],
    });
    expect(await outcomes()).toEqual([
      ["save", "saved", "The admin"],
      ["save", "unknown", "The admin"],
      ["save", "accepted", "The admin"],
    ]);
  });

  it("and is found by one of two readings leaves no lock with the other, which a save would wait for", async () => {
    await saveUnseen();
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const slow = read();
    await expect.poll(() => upstream.counts().list).toBe(1);
    await takeIt();
    await sentAgo(5_000);
    await followDue();
    // The slow one reads again, from which there is nothing to end.
    upstream.setPlan({ rules: [{ kind: "list", action: { held: true } }] });
    upstream.release();
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await isLocked(partner.connectionId)).toBe(false);
    upstream.release();
    expect((await slow).openSaves).toEqual([]);
  });

  it("and does not show when the service can be read again explains nothing that comes later", async () => {
    await saveUnseen();
    upstream.setPlan({
      rules: [{ kind: "list", action: { apply: "never", answer: { status: 503 } } }],
    });
    await followToTheEnd();
    upstream.setPlan({ rules: [] });
    await read();
    await takeIt();
    expect(await read()).toMatchObject({ webhooks: [{ lastChange: { by: null } }] });
  });

  it("is not called not applied by a reading from before its time was over", async () => {
    await saveUnseen();
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const reading = read();
    await expect.poll(() => upstream.counts().list).toBe(1);
    await sentAgo(600_000);
    upstream.release();
    expect((await reading).openSaves).toHaveLength(1);
    expect((await read()).openSaves).toEqual([]);
  });

  it("is overtaken by an outside change, which is recorded as one", async () => {
    await saveUnseen();
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    await read();
    expect((await outcomes()).map(([kind, outcome]) => [kind, outcome]).sort()).toEqual([
      ["changed_outside", "seen"],
      ["save", "accepted"],
      ["save", "overtaken"],
    ]);
  });
});

describe("a write that was not acknowledged", () => {
  const listing = (...webhooks: object[]) => ({
    answer: { body: JSON.stringify({ webhooks }) },
  });
  const desired = { type: "pix_in", callback_url: url, auth_header: "Bearer typed", events: [] };

  it.each([
    [500, "unknown", "not_applied"],
    [422, "not_saved", "not_saved"],
  ])(
    "is not called saved where the service shows it for a moment and rolls it back, after %i",
    async (status, first, last) => {
      const shown: Rule = { kind: "list", from: 2, times: 1, action: listing(desired) };
      upstream.setPlan({ rules: [answering(status, "never"), shown] });
      expect(await save({ revision: null })).toMatchObject({ outcome: first });
      await followToTheEnd();
      expect(await read()).toMatchObject({ webhooks: [], openSaves: [] });
      const said = await outcomes();
      expect(said[0]).toEqual(["save", last, "The admin"]);
      expect(said.map(([kind]) => kind)).not.toContain("changed_outside");
      expect(said.map(([, outcome]) => outcome)).not.toContain("saved");
    },
  );

  it("and is shown is open until a later reading shows it still, and nobody is named before", async () => {
    expect(await saveAnswered(500)).toMatchObject({ outcome: "unknown" });
    await takeIt();
    expect(await read()).toMatchObject({
      openSaves: [{ outcome: "unknown", seen: true }],
      webhooks: [{ callbackUrl: url, lastChange: null }],
    });
    expect(await readUntilEnded()).toMatchObject({
      webhooks: [{ callbackUrl: url, lastChange: { by: "The admin" } }],
    });
    expect(await outcomes()).toEqual([
      ["save", "saved", "The admin"],
      ["save", "unknown", "The admin"],
    ]);
  });

  it("is confirmed by the follower soon after it was seen, whenever that was", async () => {
    await saveAnswered(500);
    await takeIt();
    await sentAgo(600_000);
    await expect
      .poll(async () => {
        await followDue();
        return outcomes();
      })
      .toMatchObject([["save", "saved", "The admin"], {}]);
  });

  it("and is seen after its time by a save that is not sent is not called changed outside later", async () => {
    await saveAnswered(422);
    await takeIt();
    await sentAgo(600_000);
    expect(await save({ url: `${url}/other`, revision: "stale" })).toMatchObject({
      outcome: "stale_revision",
    });
    expect(await readUntilEnded()).toMatchObject({
      webhooks: [{ callbackUrl: url, lastChange: { by: "The admin" } }],
    });
    expect(await outcomes()).not.toContainEqual(["changed_outside", "seen", null]);
  });

  describe.each([
    ["nothing was registered", null],
    ["another address was", `${url}/before`],
  ])("and was seen, where %s before it,", (_where, before) => {
    const missing: Rule = { kind: "list", action: listing() };

    beforeEach(async () => {
      if (before !== null) await partner.register({ url: before, type: "pix_in" });
      await read();
      expect(await saveAnswered(408)).toMatchObject({ outcome: "unknown" });
      await takeIt();
      expect(await read()).toMatchObject({ openSaves: [{ seen: true }] });
      await sentAgo(600_000);
    });

    it("is not ended by a save that is not sent and reads a list without it", async () => {
      upstream.setPlan({ rules: [{ ...missing, times: 1 }] });
      await save({ url: `${url}/other`, revision: "stale" });
      await readUntilEnded();
      const said = (await outcomes()).map(([, outcome]) => outcome);
      expect(said.sort()).toEqual(["not_saved", "saved", "unknown"]);
    });

    it("was not applied where it is missing for a minute", async () => {
      upstream.setPlan({ rules: [missing] });
      expect((await read()).openSaves).toHaveLength(1);
      await changeStored(({ returned }) => {
        if (returned.pix_in) returned.pix_in.at -= 60_000;
      });
      expect((await read()).openSaves).toEqual([]);
      expect((await outcomes()).map(([, outcome]) => outcome)).not.toContain("saved");
    });
  });

  it("and was seen is not ended by a save that is not sent and reads a replica that is behind", async () => {
    upstream.setPlan({
      rules: [{ kind: "list", action: listing({ ...desired, callback_url: `${url}/old` }) }],
    });
    await read();
    upstream.setPlan({ rules: [answering(408, "never")] });
    await partner.register({
      url: `${url}/old`,
      type: "pix_in",
      authorization: "Bearer typed",
    });
    await save();
    await takeIt();
    await read();
    await sentAgo(600_000);
    upstream.setPlan({
      rules: [
        { kind: "list", times: 1, action: listing({ ...desired, callback_url: `${url}/old` }) },
      ],
    });
    await save({ url: `${url}/other`, revision: "stale" });
    await readUntilEnded();
    const said = (await outcomes()).map(([, outcome]) => outcome);
    expect(said.sort()).toEqual(["not_saved", "saved", "unknown"]);
  });

  it("is nobody's where the address appears with another value: another client may have set both", async () => {
    expect(await saveAnswered(500)).toMatchObject({ outcome: "unknown" });
    const authorization = "Bearer another";
    await partner.register({ url, type: "pix_in", authorization });
    const { webhooks, outside } = await readUntilEnded();
    expect(webhooks).toMatchObject([{ callbackUrl: url, lastChange: null }]);
    expect(outside).toBeUndefined();
  });

  it("does not spare the next save its write: what is shown may be rolled back", async () => {
    await saveAnswered(500);
    const { confirmMs } = saveTimings;
    saveTimings.confirmMs = 60_000;
    onTestFinished(() => {
      saveTimings.confirmMs = confirmMs;
    });
    upstream.setPlan({ rules: [{ kind: "list", action: listing(desired) }] });
    expect(await save()).toMatchObject({ outcome: "saved" });
    expect(upstream.counts().register).toBe(1);
    expect((await outcomes()).map(([, outcome]) => outcome)).toEqual([
      "saved",
      "overtaken",
      "unknown",
    ]);
  });

  it.each([
    [
      "422, and cannot be read back",
      422,
      { kind: "list", from: 2, action: { answer: { status: 503 } } },
    ],
    ["401, and no new token is given", 401, { kind: "token", action: { answer: { status: 403 } } }],
  ] as const)(
    "and was refused with %s, is not saved until a reading shows it",
    async (_what, status, rule) => {
      const { revision } = await read();
      upstream.setPlan({ rules: [answering(status, "first"), rule] });
      expect(await save({ revision })).toMatchObject({ outcome: "not_saved" });
      upstream.setPlan({ rules: [] });
      expect(await readUntilEnded()).toMatchObject({
        webhooks: [{ callbackUrl: url, lastChange: { by: "The admin" } }],
        recentChanges: [{ outcome: "saved", changes: [{ refused: true }] }, {}],
      });
    },
  );

  it("and was refused, yet applied, says so in the history", async () => {
    upstream.setPlan({ rules: [answering(422, "first")] });
    expect(await save()).toMatchObject({ outcome: "saved" });
    expect((await read()).recentChanges).toMatchObject([
      { outcome: "saved", problem: "upstream_rejected", changes: [{ refused: true }] },
    ]);
  });
});

describe("an address that a save asked for, set by another client", () => {
  const setDirectly = (authorization: string) =>
    partner.register({ url, type: "pix_in", authorization });

  it.each([
    ["another value", "Bearer other", null, ["changed_outside", "save"], "not_saved"],
    ["the same value", "Bearer typed", "The admin", ["save", "save"], "saved"],
  ] as const)(
    "after the service refused the save, with %s",
    async (_with, authorization, by, kinds, outcome) => {
      expect(await saveAnswered(422)).toMatchObject({ outcome: "not_saved" });
      await setDirectly(authorization);
      await read();
      await expect
        .poll(async () => (await read()).webhooks)
        .toMatchObject([{ callbackUrl: url, lastChange: { by } }]);
      await followToTheEnd();
      const said = await outcomes();
      expect(said.map(([kind]) => kind)).toEqual(kinds);
      expect(said.find(([kind]) => kind === "save")?.[1]).toBe(outcome);
    },
  );

  it("is credited to nobody where the save was refused and was to set no value: none is shown of anybody's", async () => {
    upstream.setPlan({ rules: [answering(422, "never")] });
    await save({ authorization: { action: "remove" } });
    await partner.register({ url, type: "pix_in" });
    await read();
    expect(await readUntilEnded()).toMatchObject({ webhooks: [{ lastChange: null }] });
  });

  it("is credited to nobody where the save was refused and the list does not show values", async () => {
    await saveAnswered(422);
    await setDirectly("Bearer other");
    await listShowing("Bearer ********");
    await read();
    expect(await readUntilEnded()).toMatchObject({ webhooks: [{ lastChange: null }] });
    await followToTheEnd();
    expect(await outcomes()).toEqual([
      ["save", "unknown", "The admin"],
      ["save", "not_saved", "The admin"],
    ]);
  });
});

it.each([
  ["404", 404, { error: "Configuration not found" }],
  ["an empty list", 200, { webhooks: [] }],
])(
  "does not say that somebody removed what an answer of %s leaves out for a moment: nobody can",
  async (_, status, body) => {
    await partner.register({ url, type: "pix_in" });
    await read();
    const action = { answer: { status, body: JSON.stringify(body) } };
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action }] });
    expect(await read()).toMatchObject({ webhooks: [], recentChanges: [] });
    const again = await read();
    expect(again).toMatchObject({ webhooks: [{ callbackUrl: url }], recentChanges: [] });
    expect(again.outside).toBeUndefined();
  },
);

it.each([
  {
    when: "it lasted for a minute",
    later: async () => {
      await read();
      await changeStored(({ returned }) => {
        if (returned.pix_in) returned.pix_in.at -= 60_000;
      });
    },
  },
  {
    when: "nobody had looked for as long as replicas may lag",
    later: () =>
      changeStored((stored) => {
        stored.past = {};
      }),
  },
])(
  "records that a save is shown again after a lagging replica answered, once $when, not that somebody unknown changed it",
  async ({ later }) => {
    const older = { type: "pix_in", callback_url: `${url}/older`, events: [] };
    await save();
    const body = JSON.stringify({ webhooks: [older] });
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { answer: { body } } }] });
    expect(await read()).toMatchObject({ webhooks: [{ lastChange: { by: null } }] });
    await later();
    const again = await read();
    expect(again).toMatchObject({
      webhooks: [{ callbackUrl: url, lastChange: { by: "The admin" } }],
    });
    expect(again.outside, "notifications may have gone elsewhere").toHaveLength(1);
    expect(await outcomes()).toEqual([
      ["shown_again", "seen", null],
      ["changed_outside", "seen", null],
      ["save", "saved", "The admin"],
    ]);
  },
);

describe("an operation", () => {
  const maxGivenUp = 20;

  async function voids() {
    const rows = await db()
      .selectFrom("changes")
      .select("id")
      .where("connection_id", "=", partner.connectionId)
      .where("state", "=", "void")
      .execute();
    return rows.map(({ id }) => id);
  }

  /** A support person with a view of this partner. */
  async function supporting() {
    const support = await world.staff("support");
    const [id, now] = [randomUUID(), Date.now()];
    const view = { id, user_id: support, partner_id: partner.id, reason: "A lost save" };
    await db()
      .insertInto("support_views")
      .values({
        ...view,
        session_id_hash: "",
        started_at: now,
        expires_at: now + 60_000,
        ended_at: null,
      })
      .execute();
    return support;
  }

  it("is done once, however often its press is sent: the answer is repeated", async () => {
    const operation = randomUUID();
    const first = await save({ operation, revision: null });
    const again = await save({ operation, revision: null });
    expect(again).toEqual(first);
    expect(first.outcome).toBe("saved");
    expect(upstream.counts().register).toBe(1);
  });

  it("with another value or address cannot be passed off as it, nor as that of somebody else (threat: guessing a value)", async () => {
    await save();
    const [admin, other] = [await partner.person("admin"), await partner.person("admin")];
    const authorizations = [replace("Bearer new"), keep, remove];
    for (const [index, authorization] of authorizations.entries()) {
      signInAs(admin);
      const operation = randomUUID();
      const moved = { url: `${url}/${index}`, operation, revision: (await read()).revision };
      const first = await save({ ...moved, authorization });
      expect(first.outcome).toBe("saved");
      expect(await save({ ...moved, authorization })).toEqual(first);
      const reused = { outcome: "operation_reused" };
      expect(await save({ ...moved, url: `${url}/other`, authorization })).toMatchObject(reused);
      for (const another of [...authorizations, replace("Bearer other")])
        if (another !== authorization)
          expect(await save({ ...moved, authorization: another })).toMatchObject(reused);
      signInAs(other);
      expect(await save({ ...moved, authorization })).toMatchObject(reused);
    }
    expect(upstream.counts().register).toBe(1 + authorizations.length);
  });

  it("that was reported as never sent writes nothing when it arrives after all, however often", async () => {
    const operation = randomUUID();
    expect(await ask(operation)).toMatchObject({ outcome: "none" });
    expect(await ask(operation)).toMatchObject({ outcome: "none" });
    for (let times = 0; times < 2; times += 1)
      expect(await save({ operation })).toMatchObject({ outcome: "save_given_up" });
    expect(upstream.counts().register).toBe(0);
    expect(await ask(operation)).toMatchObject({ outcome: "none" });
    expect(await outcomes()).toEqual([]);
    expect(await save({ operation: randomUUID() })).toMatchObject({ outcome: "saved" });
  });

  it("that arrived, and has stored nothing yet, is not reported as never sent", async () => {
    const operation = randomUUID();
    const { revision } = await read();
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const saving = save({ operation, revision });
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await ask(operation)).toMatchObject({ outcome: "in_progress" });
    upstream.release();
    expect(await saving).toMatchObject({ outcome: "saved" });
    expect(await ask(operation)).toMatchObject({ outcome: "saved" });
  });

  it("is given up for nobody who may not save (threat: a reader blocks saves and fills the database)", async () => {
    const [known, operation] = [randomUUID(), randomUUID()];
    await ask(known);
    for (const reader of [await partner.person("viewer"), await supporting()]) {
      signInAs(reader);
      expect(await ask(operation)).toMatchObject({ outcome: "not_known" });
      expect(await ask(known), "as somebody who may save was told").toMatchObject({
        outcome: "none",
      });
    }
    expect(await voids()).toEqual([known]);
    signInAs(await partner.person("editor"));
    expect(await save({ operation })).toMatchObject({ outcome: "saved" });
    signInAs(await partner.person("viewer"));
    expect(await ask(operation)).toMatchObject({ outcome: "saved" });
  });

  it("is in progress for a reader, too, while Gancho knows that it is", async () => {
    const [editor, viewer] = [await partner.person("editor"), await partner.person("viewer")];
    const operation = randomUUID();
    const { revision } = await read();
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    signInAs(editor);
    const saving = save({ operation, revision });
    await expect.poll(() => upstream.counts().list).toBe(1);
    signInAs(viewer);
    expect(await ask(operation)).toMatchObject({ outcome: "in_progress" });
    expect(await ask(randomUUID())).toMatchObject({ outcome: "not_known" });
    upstream.release();
    expect(await saving).toMatchObject({ outcome: "saved" });
  });

  it("does not keep saves from waiting, however many unknown ids are queried (threat: a flood of made-up ids)", async () => {
    const { revision } = await read();
    const operation = randomUUID();
    const held = await lockConnection(partner.connectionId, 0);
    let answered = 0;
    const count = () => (answered += 1);
    const asked = Promise.all(Array.from({ length: 40 }, () => ask(randomUUID()).finally(count)));
    // Those for whom there is no room are answered at once, and not with what nobody knows.
    await expect.poll(() => answered, { interval: 5 }).toBeGreaterThan(0);
    const saving = save({ revision, operation });
    await expect
      .poll(() => readStep(partner.id, "sandbox", operation), { interval: 5 })
      .toBe("preparing");
    await held?.release();
    expect(await saving).toMatchObject({ outcome: "saved" });
    const told = new Set((await asked).map(({ outcome }) => outcome));
    expect([...told].filter((outcome) => outcome === "in_progress")).toEqual([]);
  });

  it("is given up for a person so often, and for others after that (threat: one person uses up all of it)", async () => {
    const other = await partner.person("editor");
    const asked = [];
    for (let times = 0; times < maxGivenUp + 1; times += 1)
      asked.push((await ask(randomUUID())).outcome);
    expect(asked).toEqual([...Array.from({ length: maxGivenUp }, () => "none"), "not_known"]);
    const [first] = await voids();
    expect(await ask(first ?? ""), "what was said before holds").toMatchObject({ outcome: "none" });
    expect(await save()).toMatchObject({ outcome: "saved" });
    signInAs(other);
    expect(await ask(randomUUID())).toMatchObject({ outcome: "none" });
  });

  it("is not reported as in progress where too many unknown ids were queried (threat: filling the database)", async () => {
    await ask(randomUUID());
    const made = await rowOf("changes", { partner_id: partner.id });
    const given = Array.from({ length: 999 }, () => ({ ...made, id: randomUUID() }));
    for (let i = 0; i < given.length; i += 200)
      await db()
        .insertInto("changes")
        .values(given.slice(i, i + 200))
        .execute();
    const operation = randomUUID();
    expect(await ask(operation)).toMatchObject({ outcome: "not_known" });
    expect(await save({ operation })).toMatchObject({ outcome: "saved" });

    const other = randomUUID();
    await db()
      .updateTable("changes")
      .set({ created_at: Date.now() - 25 * 60 * 60_000 })
      .execute();
    expect(await ask(other), "what nobody can send any more is forgotten").toMatchObject({
      outcome: "none",
    });
  });

  it("can be found by its id, which reads the service again", async () => {
    const operation = randomUUID();
    upstream.setPlan({ rules: [forgotten] });
    expect(await save({ operation })).toMatchObject({ outcome: "accepted" });
    expect(await ask(operation)).toMatchObject({ outcome: "accepted", open: true });
    await takeIt();
    expect(await ask(operation)).toMatchObject({
      outcome: "saved",
      results: [{ type: "pix_in", outcome: "created" }],
    });
  });

  it("is not claimed by a similar state", async () => {
    const mine = randomUUID();
    upstream.setPlan({ rules: [forgotten] });
    await save({ operation: mine });
    const theirs = randomUUID();
    await save({ operation: theirs });
    expect(await ask(mine)).toMatchObject({ outcome: "overtaken" });
    expect(await ask(theirs)).toMatchObject({ outcome: "saved" });
  });
});

/** The service lists what it holds, but for the value: `shown`, or nothing. */
async function listShowing(shown: string | null) {
  const items = await partner.registered();
  const webhooks = items.map(({ auth_header, ...item }) => ({
    ...item,
    ...(auth_header && shown !== null && { auth_header: shown }),
  }));
  const body = JSON.stringify({ webhooks });
  upstream.setPlan({ rules: [{ kind: "list", action: { answer: { body } } }] });
}

const held = async () =>
  (await partner.registered()).map(({ callback_url, auth_header }) => [callback_url, auth_header]);
const keep = { action: "keep" } as const;
const remove = { action: "remove" } as const;

describe("a list that showed the value that was written, and then shows something else", () => {
  it.each([
    { shows: "a word", shown: "hidden", code: "retype_other_value" },
    { shows: "a digest", shown: "5e884898da280471", code: "retype_other_value" },
    { shows: "eight X", shown: "XXXXXXXX", code: "retype_other_value" },
    { shows: "the last four characters", shown: "yped", code: "retype_other_value" },
    { shows: "the value in lower case", shown: "bearer typed", code: "retype_other_value" },
    { shows: "nothing", shown: null, code: "retype_not_shown" },
  ])("$shows: it is never written, and no person is said to have changed it", async (given) => {
    const { shown, code } = given;
    expect(await save()).toMatchObject({ outcome: "saved" });
    await listShowing(shown);
    expect(await save({ url: `${url}/2`, authorization: keep })).toMatchObject({ outcome: code });
    expect(await held()).toEqual([[url, "Bearer typed"]]);
    expect(upstream.counts().register).toBe(0);
    const { webhooks, outside, recentChanges } = await read();
    expect(webhooks).toMatchObject([
      { authorization: { retype: code }, lastChange: { by: null, onlyValue: true } },
    ]);
    expect(outside).toMatchObject([{ before: { callbackUrl: url }, after: { callbackUrl: url } }]);
    expect(recentChanges.find(({ kind }) => kind === "changed_outside")?.changes).toHaveLength(1);
  });

  it("a placeholder: it is never written, and nothing is said to have changed", async () => {
    await save();
    await listShowing("Bearer ********");
    const refused = await save({ url: `${url}/2`, authorization: keep });
    expect(refused).toMatchObject({ outcome: "retype_not_shown" });
    expect((await read()).outside).toBeUndefined();
    await listShowing("Bearer other");
    expect((await read()).outside, "seen behind the placeholder").toHaveLength(1);
  });

  it("and then what was written again: it can be kept", async () => {
    await save();
    await listShowing("hidden");
    await read();
    upstream.setPlan({ rules: [] });
    const moved = await save({ url: `${url}/2`, authorization: keep });
    expect(moved).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
  });

  it("because another client changed it: that value is not kept either", async () => {
    await save();
    const theirs = { url, type: "pix_in", authorization: "Bearer theirs" };
    await partner.register(theirs);
    expect(await save({ url: `${url}/2`, authorization: keep })).toMatchObject({
      outcome: "retype_other_value",
    });
    expect(await held()).toEqual([[url, "Bearer theirs"]]);
  });
});

describe("a value that somebody else registered", () => {
  const theirs = { url, type: "pix_in", authorization: "Bearer theirs" } as const;
  beforeEach(() => partner.register(theirs));

  it.each([
    ["as it is", "Bearer theirs"],
    ["as a mask", "Bearer ********"],
    ["as a mask that looks like a value", "fingerprint-0001"],
    ["as the beginning of the value", "Bearer th"],
    ["not at all", null],
  ])("and the list shows %s: nothing of it is ever written", async (_how, shown) => {
    await listShowing(shown);
    const refusal = { outcome: expect.stringMatching(/^retype_/) as string };
    expect(await save({ url: `${url}/2`, authorization: keep })).toMatchObject(refusal);
    expect(await held()).toEqual([[url, "Bearer theirs"]]);
    // With its present address there is nothing to keep.
    expect(await save({ authorization: keep })).toMatchObject({ outcome: "unchanged" });
  });

  it.each(["Bearer ********", "fingerprint-0001", "Bearer ty", null])(
    "is replaced, with an answer that says what the list does not show: %s",
    async (shown) => {
      const showing = (callback_url: string, times?: number): Rule => {
        const header = shown === null ? {} : { auth_header: shown };
        const listed = [{ type: "pix_in", callback_url, ...header, events: [] }];
        const body = JSON.stringify({ webhooks: listed });
        return { kind: "list", ...(times && { times }), action: { answer: { body } } };
      };
      upstream.setPlan({ rules: [showing(url, 2), showing(`${url}/2`)] });
      expect(await save({ url: `${url}/2` })).toEqual({
        outcome: "accepted",
        results: [{ type: "pix_in", outcome: "accepted", authorization: "not_shown" }],
      });
      expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
      expect(await read()).toMatchObject({
        openSaves: [],
        webhooks: [{ callbackUrl: `${url}/2` }],
      });
      expect((await outcomes()).map(([kind]) => kind)).not.toContain("changed_outside");
    },
  );

  it("can be kept once somebody typed it, though nothing had to be sent", async () => {
    const typed = await save({ authorization: replace("Bearer theirs") });
    expect(typed).toMatchObject({ outcome: "unchanged" });
    expect(await save({ url: `${url}/2`, authorization: keep })).toMatchObject({
      outcome: "saved",
    });
    expect(await held()).toEqual([[`${url}/2`, "Bearer theirs"]]);
    expect(upstream.counts().register).toBe(1);
  });
});

describe("removing a value", () => {
  it("that the list never shows is sent, and the answer says that nobody can see whether one is set", async () => {
    const authorization = "Bearer mine";
    await partner.register({ url, type: "pix_in", authorization });
    await listShowing(null);
    expect(await save({ authorization: remove })).toMatchObject({
      outcome: "accepted",
      results: [{ outcome: "accepted", authorization: "not_shown" }],
    });
    expect(await held()).toEqual([[url, undefined]]);
    expect(await save({ url: `${url}/2`, authorization: keep }), "it may be set").toMatchObject({
      outcome: "retype_unproven",
    });
  });

  it("that the list showed is confirmed, and no value is kept with another address after that", async () => {
    await save();
    expect(await save({ authorization: remove })).toMatchObject({ outcome: "saved" });
    expect(await save({ url: `${url}/2`, authorization: keep })).toMatchObject({
      outcome: "saved",
    });
    expect(await held()).toEqual([[`${url}/2`, undefined]]);
  });

  it("is not credited with another value that the list shows then: another client set it", async () => {
    const of = (authorization: string) => ({ url, type: "pix_in", authorization });
    await partner.register(of("Bearer first"));
    await read();
    upstream.setPlan({ rules: [forgotten] });
    expect(await save({ authorization: remove })).toMatchObject({ outcome: "accepted" });
    await partner.register(of("Bearer second"));
    expect(await read()).toMatchObject({ webhooks: [{ lastChange: { by: null } }] });
  });

  it("that another client may have set since is not confirmed where the list shows none", async () => {
    await save({ authorization: remove });
    const outside = { url: `${url}/other`, type: "pix_in", authorization: "Bearer hidden" };
    await partner.register(outside);
    await listShowing(null);
    expect(await read()).toMatchObject({ outside: [{ type: "pix_in" }] });
    expect(await save({ authorization: keep }), "it may be set").toMatchObject({
      outcome: "retype_unproven",
    });
    expect(await save({ url: outside.url, authorization: remove })).toMatchObject({
      outcome: "accepted",
      results: [{ authorization: "not_shown" }],
    });
  });
});

describe("an editor who may not move a value to another host (threat: being sent the secret)", () => {
  const other = "https://attacker.example/";

  it.each([
    ["not found", "keep", { status: 404, body: '{"error":"Configuration not found"}' }],
    ["an empty list", "remove", { body: '{"webhooks":[]}' }],
    ["null", "keep", { body: "null" }],
  ] as const)("cannot while the service answers with %s", async (_name, action, answer) => {
    await save();
    upstream.setPlan({ rules: [{ kind: "list", action: { answer } }] });
    signInAs(await partner.person("editor"));
    const move = { url: other, revision: null, authorization: { action } };
    for (const when of ["at once", "once it was seen to be gone"]) {
      const { outcome } = await save(move);
      expect(["retype_for_new_origin", "not_saved"], when).toContain(outcome);
      await read();
    }
    expect(await held()).toEqual([[url, "Bearer typed"]]);
    expect(upstream.counts().register).toBe(0);
  });
});

describe("comparing", () => {
  const item = (more: object) => ({
    callback_url: url,
    auth_header: "Bearer typed",
    events: [],
    ...more,
  });
  const list = (...webhooks: object[]): Rule => ({
    kind: "list",
    action: { answer: { body: JSON.stringify({ webhooks }) } },
  });

  it.each([
    ["/pix", "https://hooks.example.com:443/a/../pix"],
    ["/%41%7E?q=%2f", "https://HOOKS.example.com/A~?q=%2F"],
  ])("takes %s, which the service writes as %s, for the same address", async (path, written) => {
    const rules = [{ ...list(item({ type: "pix_in", callback_url: written })), from: 2 }];
    upstream.setPlan({ rules });
    const typed = `https://hooks.example.com${path}`;
    expect(await save({ url: typed, revision: null })).toMatchObject({ outcome: "saved" });
    const { revision, webhooks } = await read();
    expect(webhooks).toMatchObject([{ callbackUrl: written, lastChange: { by: "The admin" } }]);
    expect((await outcomes()).map(([kind]) => kind)).toEqual(["save"]);
    expect(await save({ url: typed, revision })).toMatchObject({ outcome: "unchanged" });
  });

  it("reads a type without case, and one that was left out from the events", async () => {
    upstream.setPlan({
      rules: [list(item({ type: "PIX_IN" }), item({ events: ["transfer.failed"] }))],
    });
    expect(await read()).toMatchObject({
      webhooks: [{ type: "pix_in" }, { type: "pix_out", inferred: true }],
    });
    upstream.setPlan({ rules: [list(item({ events: ["transfer.failed", "collection.paid"] }))] });
    expect((await read()).unrecognised).toHaveLength(1);
  });

  it("does not mind the order of items that it does not know", async () => {
    const [a, b] = [item({ type: "boleto" }), item({ type: "ted" })];
    upstream.setPlan({ rules: [list(a, b)] });
    const { revision } = await read();
    upstream.setPlan({ rules: [list(b, a)] });
    expect((await read()).revision).toBe(revision);
  });

  it("records that the list shows no value, before and after, and not that none is set", async () => {
    const bare = { url, type: "pix_in" } as const;
    const none = { fingerprint: null, hidden: "absent" };
    const reported = async () => (await read()).recentChanges[0]?.changes[0];
    await save();
    await partner.register(bare);
    expect((await reported())?.after).toEqual({ callbackUrl: url, ...none });
    expect(await save({ url: `${url}/2` })).toMatchObject({ outcome: "saved" });
    expect((await reported())?.before).toEqual({ callbackUrl: url, ...none });
  });

  it("records two differing values as that, and not as removed", async () => {
    await save();
    upstream.setPlan({
      rules: [list({ ...item({ type: "pix_in" }), authorization: "Bearer other" })],
    });
    const [change] = (await read()).recentChanges;
    expect(change?.changes).toMatchObject([{ after: { conflict: true } }]);
  });

  it("waits before it calls an older state that is shown again a change: a replica may lag", async () => {
    await save();
    await save({ url: `${url}/2` });
    upstream.setPlan({ rules: [list(item({ type: "pix_in" }))] });
    expect(await read()).toMatchObject({
      webhooks: [{ callbackUrl: url, lastChange: null }],
    });
    upstream.setPlan({ rules: [] });
    await read();
    expect((await outcomes()).map(([kind]) => kind)).toEqual(["save", "save"]);
  });
});

describe("time and place", () => {
  it("a process that stood still past its time writes nothing (threat: writing over somebody else's later save)", async () => {
    const answered: Action = { delayMs: 0 };
    upstream.setPlan({ rules: [{ kind: "register", action: answered }] });
    const real = performance.now.bind(performance);
    let ahead = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
    onTestFinished(() => clock.mockRestore());
    const { revision } = await read();
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const saving = save({ revision });
    await expect.poll(() => upstream.counts().list).toBeGreaterThan(0);
    ahead = 46_000;
    upstream.release();
    expect(await saving).toMatchObject({ outcome: "not_saved" });
    expect(upstream.counts().register).toBe(0);
  });

  it("another base address starts from nothing, and no token goes there", async () => {
    await save();
    expect((await read()).webhooks).toHaveLength(1);
    upstream.setPlan({ rules: [forgotten] });
    expect(await save({ url: `${url}/open` })).toMatchObject({ outcome: "accepted" });
    expect((await read()).openSaves).toHaveLength(1);
    const moved = await startFaultyUpstream({ sandbox: world.sandbox.url });
    const { env } = await import("@/lib/platform/env/env");
    const before = env().environments;
    Object.assign(env(), { environments: new Map([["sandbox", moved.url]]) });
    onTestFinished(async () => {
      Object.assign(env(), { environments: before });
      await moved.close();
    });
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    expect(await read()).toMatchObject({
      webhooks: [{ lastChange: null, authorization: { retype: "retype_unproven" } }],
      openSaves: [],
    });
    expect(moved.counts().token).toBe(1);
    expect((await outcomes()).map(([kind]) => kind)).toEqual(["save", "save"]);
  });

  it("a reading during a save is newer than the one before, and older than the one that ends it", async () => {
    await saveUnseen();
    const before = await read();
    const lock = await lockConnection(partner.connectionId, 0);
    await takeIt();
    const during = await read();
    expect(during.webhooks).toMatchObject([{ callbackUrl: url, lastChange: null }]);
    expect(during.openSaves).toHaveLength(1);
    await lock?.release();
    const after = await read();
    expect(after.openSaves).toEqual([]);
    expect(newer(before, during)).toBe(during);
    expect(newer(during, before)).toBe(during);
    expect(newer(after, during)).toBe(after);
  });

  it("an age comes from the server, and a newer configuration has a larger epoch", async () => {
    const first = await read();
    const second = await read();
    expect(newer(second, first)).toBe(second);
    expect(second.confirmedAgeMs).toBeLessThan(10_000);
    const made = Date.parse(second.answeredAt) - Date.parse(second.confirmedAt);
    expect(made).toBe(second.confirmedAgeMs);
  });
});
