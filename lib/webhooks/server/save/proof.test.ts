import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { randomUUID } from "node:crypto";
import { insert, rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isLocked, lockConnection } from "./connection-lock";
import { followDue } from "./follow-saves";
import { newer } from "@/lib/webhooks/client/query";
import { readStep } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  answering,
  ask,
  forgotten,
  heldReading,
  inWorld,
  keep,
  listing,
  moveService,
  outcomes,
  partner,
  plan,
  read,
  readUntilEnded,
  remove,
  replace,
  save,
  sentAgo,
  showing,
  upstream,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";

inWorld();

/** A save that the service acknowledges and does not show. */
async function saveUnseen(request: Parameters<typeof save>[0] = {}) {
  plan(forgotten);
  expect(await save(request)).toMatchObject({ outcome: "accepted" });
}

/** A save that the service answers with this status and does not apply. */
function saveAnswered(status: number) {
  plan(answering(status));
  return save();
}

/** A save that reads and is then refused as stale. */
async function saveStale() {
  const end = await save({ url: `${url}/other`, revision: "stale" });
  expect(end).toMatchObject({ outcome: "stale_revision" });
}

/** Follows saves until their time is over, and looks again. */
async function followToTheEnd() {
  for (let look = 1; look <= 2; look += 1) {
    await sentAgo(600_000);
    await followDue();
  }
}

/** What a reading then shows: this address, set by the author of the save. */
const credited = [{ callbackUrl: url, lastChange: { by: "The admin" } }];

/** The delayed write takes effect after all. */
const takeIt = () => partner.register({ url, type: "pix_in", authorization: "Bearer typed" });

it("corrects the outcome of a refused save of both types when one takes effect while the other is still followed", async () => {
  plan(answering(422));
  expect(await save({ type: "both" })).toMatchObject({ outcome: "not_saved" });
  await partner.register({ url, type: "pix_out", authorization: "Bearer typed" });
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
  expect(await outcomes()).toEqual(["partial", "changed_outside", "not_saved"]);
});

type Stored = { past: object; returned: { pix_in?: { at: number } } };

const lastedForAMinute = ({ returned }: Stored) => {
  if (returned.pix_in) returned.pix_in.at -= 60_000;
};

it.each([
  ["it was shown to a save in between", () => plan()],
  ["a save was made in between, whose readings may be lost", () => plan(showing([]))],
])("a type that is missing again after a minute has not gone where %s", async (_how, between) => {
  await partner.register({ url, type: "pix_in" });
  await read();
  plan(showing([]));
  await read();
  between();
  await saveStale();
  plan(showing([]));
  await changeStored(lastedForAMinute);
  await read();
  expect(await outcomes()).not.toContain("changed_outside");
  await changeStored(lastedForAMinute);
  await read();
  expect(await outcomes()).toContain("changed_outside");
});

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
  it("is accepted, and credited to its author once it shows, never to an unknown client", async () => {
    await saveUnseen();
    expect(await read()).toMatchObject({
      webhooks: [],
      openSaves: [{ outcome: "accepted", types: ["pix_in"], by: "The admin" }],
    });
    await takeIt();
    await sentAgo(5_000);
    await followDue();
    expect(await read()).toMatchObject({ openSaves: [], webhooks: credited });
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("is still followed after the machine and its steady clock restart", async () => {
    await saveUnseen();
    await takeIt();
    const next_check_at = (await readSteadyClock()) + 86_400_000;
    await update("changes", { next_check_at }, { partner_id: partner.id });
    await followDue();
    expect(await rowOf("changes", { partner_id: partner.id })).toMatchObject({ outcome: "saved" });
  });

  it("and never shows is recorded as not applied by the follower, once, with the earlier outcome", async () => {
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
    expect(await outcomes()).toEqual(["not_applied", "accepted"]);
  });

  it("and was seen with another value before the old state came back is overtaken", async () => {
    await save({ url: `${url}/old` });
    await saveUnseen();
    await takeIt();
    await listShowing("prefix");
    await read();
    plan();
    await partner.register({ url: `${url}/old`, type: "pix_in", authorization: "Bearer typed" });
    await followToTheEnd();
    await changeStored(lastedForAMinute);
    await read();
    expect((await outcomes()).find((said) => said !== "changed_outside")).toBe("overtaken");
  });

  it("is overtaken by a later save that found the old state, yet credited if it takes effect late", async () => {
    await saveUnseen();
    expect(await save({ url: `${url}/2` })).toMatchObject({ outcome: "saved" });
    expect(await outcomes()).toEqual(["saved", "overtaken", "accepted"]);
    await takeIt();
    const { webhooks, recentChanges } = await read();
    expect(webhooks).toMatchObject(credited);
    expect(recentChanges[0]).toMatchObject({ outcome: "saved", earlier: "overtaken" });
  });

  it.each([
    ["refused as stale", { url: `${url}/2`, revision: "stale" }],
    ["refused by the service", { url: `${url}/2` }],
  ])("is not overtaken by a later save that was %s", async (_how, request) => {
    const operation = randomUUID();
    await saveUnseen({ operation });
    plan(answering(422));
    await save(request);
    expect(await ask(operation)).toMatchObject({ outcome: "accepted", open: true });
    await takeIt();
    expect((await read()).webhooks).toMatchObject([{ lastChange: { by: "The admin" } }]);
    expect(await outcomes()).not.toContain("overtaken");
  });

  it("and shows during a later save is credited to its author, not to an unknown client", async () => {
    await saveUnseen();
    const { revision } = await read();
    const action = { ...forgotten.action, held: true };
    plan({ ...forgotten, action });
    const later = save({ type: "pix_out", url: `${url}/2`, revision });
    await expect.poll(() => upstream.counts().register).toBe(1);
    await takeIt();
    upstream.release();
    expect(await later).toMatchObject({ outcome: "accepted" });
    expect(await outcomes()).toEqual(["accepted", "saved", "accepted"]);
  });

  it("and shows after its time, when the service can be read again, is credited to its author", async () => {
    await saveUnseen();
    plan(listing({ status: 503 }));
    for (let round = 1; round <= 3; round += 1) {
      await sentAgo(round * 600_000);
      await followDue();
    }
    await takeIt();
    plan();
    expect(await read()).toMatchObject({ openSaves: [], webhooks: credited });
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("is not ended by a list that leaves the type out when its time is over", async () => {
    await partner.register({ url: `${url}/old`, type: "pix_in" });
    await saveUnseen();
    plan(showing([], { times: 1 }));
    await followToTheEnd();
    await takeIt();
    expect(await readUntilEnded()).toMatchObject({ webhooks: credited });
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("and is found by one of two readings does not leave the other one with a lock", async () => {
    await saveUnseen();
    plan(heldReading);
    const slow = read();
    await expect.poll(() => upstream.counts().list).toBe(1);
    await takeIt();
    await sentAgo(5_000);
    await followDue();
    // The slow one reads again, with no save left to end.
    plan({ ...heldReading, times: 2 });
    upstream.release();
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await isLocked(partner.connectionId)).toBe(false);
    upstream.release();
    expect((await slow).openSaves).toEqual([]);
  });

  it("and does not show when the service can be read again explains no later change", async () => {
    await saveUnseen();
    plan(listing({ status: 503 }));
    await followToTheEnd();
    plan();
    await readUntilEnded();
    const { state, outcome } = await rowOf("changes", { partner_id: partner.id });
    expect({ state, outcome }).toEqual({ state: "closed", outcome: "not_applied" });
    await takeIt();
    expect(await read()).toMatchObject({ webhooks: [{ lastChange: { by: null } }] });
  });

  it("is not reported as not applied by a reading that began before its time was over", async () => {
    await saveUnseen();
    plan(heldReading);
    const reading = read();
    await expect.poll(() => upstream.counts().list).toBe(1);
    await sentAgo(600_000);
    upstream.release();
    expect((await reading).openSaves).toHaveLength(1);
    expect((await read()).openSaves, "a single look may have met a lagging replica").toHaveLength(
      1,
    );
    expect((await read()).openSaves).toEqual([]);
  });

  it("is overtaken by an outside change, which is recorded as one", async () => {
    await saveUnseen();
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    await read();
    expect((await outcomes()).sort()).toEqual(["accepted", "changed_outside", "overtaken"]);
  });
});

describe("a write that was not acknowledged", () => {
  const desired = { type: "pix_in", callback_url: url, auth_header: "Bearer typed", events: [] };

  it.each([
    [500, ["not_applied", "unknown"]],
    [422, ["not_saved"]],
  ])(
    "is not reported as saved where the service shows it for a moment and rolls it back, after %i",
    async (status, said) => {
      plan(answering(status), showing([desired], { from: 2, times: 1 }));
      expect((await save({ revision: null })).outcome).toBe(said.at(-1));
      await followToTheEnd();
      expect(await read()).toMatchObject({ webhooks: [], openSaves: [] });
      expect(await outcomes()).toEqual(said);
    },
  );

  it("and is shown stays open and without an author until a later reading still shows it", async () => {
    expect(await saveAnswered(500)).toMatchObject({ outcome: "unknown" });
    await takeIt();
    expect(await read()).toMatchObject({
      openSaves: [{ outcome: "unknown", seen: true }],
      webhooks: [{ callbackUrl: url, lastChange: null }],
    });
    expect(await readUntilEnded()).toMatchObject({ webhooks: credited });
    expect(await outcomes()).toEqual(["saved", "unknown"]);
  });

  it("is confirmed by the follower soon after it was seen, early or late", async () => {
    await saveAnswered(500);
    await takeIt();
    await sentAgo(600_000);
    await expect.poll(() => followDue().then(outcomes)).toEqual(["saved", "unknown"]);
  });

  it("and is seen after its time by an unsent save is not reported as an outside change later", async () => {
    await saveAnswered(422);
    await takeIt();
    await sentAgo(600_000);
    await saveStale();
    expect(await readUntilEnded()).toMatchObject({ webhooks: credited });
    expect(await outcomes()).not.toContainEqual("changed_outside");
  });

  describe.each([
    ["nothing was registered", null],
    ["another address was", `${url}/before`],
  ])("and was seen, where %s before it,", (_where, before) => {
    beforeEach(async () => {
      if (before !== null) await partner.register({ url: before, type: "pix_in" });
      await read();
      expect(await saveAnswered(408)).toMatchObject({ outcome: "unknown" });
      await takeIt();
      expect(await read()).toMatchObject({ openSaves: [{ seen: true }] });
      await sentAgo(600_000);
    });

    it("is not ended by an unsent save that reads a list without it", async () => {
      plan(showing([], { times: 1 }));
      await saveStale();
      await readUntilEnded();
      expect((await outcomes()).sort()).toEqual(["not_saved", "saved", "unknown"]);
    });

    it("is not applied once it is missing for a minute", async () => {
      plan(showing([]));
      expect((await read()).openSaves).toHaveLength(1);
      await changeStored(lastedForAMinute);
      await readUntilEnded();
      expect(await outcomes()).not.toContain("saved");
    });
  });

  it("and was seen is not ended by an unsent save that reads a lagging replica", async () => {
    const old = [{ ...desired, callback_url: `${url}/old` }];
    plan(showing(old));
    await read();
    plan(answering(408));
    await partner.register({ url: `${url}/old`, type: "pix_in", authorization: "Bearer typed" });
    await save();
    await takeIt();
    await read();
    await sentAgo(600_000);
    plan(showing(old, { times: 1 }));
    await saveStale();
    await readUntilEnded();
    expect((await outcomes()).sort()).toEqual(["not_saved", "saved", "unknown"]);
  });

  it("has no author where the address appears with another value: another client may have set both", async () => {
    expect(await saveAnswered(500)).toMatchObject({ outcome: "unknown" });
    const authorization = "Bearer another";
    await partner.register({ url, type: "pix_in", authorization });
    const { webhooks, outside } = await readUntilEnded();
    expect(webhooks).toMatchObject([{ callbackUrl: url, lastChange: null }]);
    expect(outside).toBeUndefined();
  });

  it("does not make the next save skip its write: what is shown may be rolled back", async () => {
    await saveAnswered(500);
    const { confirmMs } = saveTimings;
    saveTimings.confirmMs = 60_000;
    onTestFinished(() => {
      saveTimings.confirmMs = confirmMs;
    });
    plan(showing([desired]));
    expect(await save()).toMatchObject({ outcome: "saved" });
    expect(upstream.counts().register).toBe(1);
    expect(await outcomes()).toEqual(["saved", "overtaken", "unknown"]);
  });

  it.each([
    ["422, and cannot be read back", 422, listing({ status: 503 }, { from: 2 })],
    ["401, and no new token is given", 401, { kind: "token", action: { answer: { status: 403 } } }],
  ] as const)(
    "and was refused with %s, is not saved until a reading shows it",
    async (_what, status, rule) => {
      const { revision } = await read();
      plan(answering(status, "first"), rule);
      expect(await save({ revision })).toMatchObject({ outcome: "not_saved" });
      plan();
      expect(await readUntilEnded()).toMatchObject({
        webhooks: credited,
        recentChanges: [{ outcome: "saved", changes: [{ refused: true }] }, {}],
      });
    },
  );

  it("and was refused, yet applied, is recorded as such in the history", async () => {
    plan(answering(422, "first"));
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
    ["another value", "Bearer other", null, ["changed_outside", "not_saved"]],
    ["the same value", "Bearer typed", "The admin", ["saved", "not_saved"]],
  ] as const)(
    "after the service refused the save, with %s",
    async (_with, authorization, by, said) => {
      expect(await saveAnswered(422)).toMatchObject({ outcome: "not_saved" });
      await setDirectly(authorization);
      await read();
      await expect
        .poll(async () => (await read()).webhooks)
        .toMatchObject([{ callbackUrl: url, lastChange: { by } }]);
      await followToTheEnd();
      expect(await outcomes()).toEqual(said);
    },
  );

  it("is credited to nobody where the save was refused and the list does not show values", async () => {
    await saveAnswered(422);
    await setDirectly("Bearer other");
    await listShowing("Bearer ********");
    await read();
    expect(await readUntilEnded()).toMatchObject({ webhooks: [{ lastChange: null }] });
    await followToTheEnd();
    expect(await outcomes()).toEqual(["unknown", "not_saved"]);
  });
});

it.each([
  ["404", 404, { error: "Configuration not found" }],
  ["an empty list", 200, { webhooks: [] }],
])(
  "does not report a type that an answer of %s leaves out for a moment as removed: nobody can remove one",
  async (_, status, body) => {
    await partner.register({ url, type: "pix_in" });
    await read();
    plan(listing({ status, body: JSON.stringify(body) }, { times: 1 }));
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
      await changeStored(lastedForAMinute);
    },
  },
  {
    when: "nobody had read for as long as replicas may lag",
    later: () =>
      changeStored((stored) => {
        stored.past = {};
      }),
  },
])(
  "records that a save is shown again after a lagging replica answered, once $when, and no change by an unknown client",
  async ({ later }) => {
    await save();
    const older = { type: "pix_in", callback_url: `${url}/older`, events: [] };
    plan(showing([older], { times: 1 }));
    expect(await read()).toMatchObject({ webhooks: [{ lastChange: { by: null } }] });
    await later();
    const again = await read();
    expect(again).toMatchObject({ webhooks: credited });
    expect(again.outside, "notifications may have gone elsewhere").toHaveLength(1);
    expect(await outcomes()).toEqual(["shown_again", "changed_outside", "saved"]);
  },
);

describe("an operation", () => {
  const maxGivenUp = 20;

  async function voids() {
    const given = db().selectFrom("changes").select("id").where("state", "=", "void");
    const rows = await given.where("connection_id", "=", partner.connectionId).execute();
    return rows.map(({ id }) => id);
  }

  /** A support person with a view of this partner. */
  async function supporting() {
    const support = await world.staff("support");
    const of = { user_id: support, partner_id: partner.id, session_id_hash: "" };
    const now = Date.now();
    const time = { started_at: now, expires_at: now + 60_000, ended_at: null };
    await insert("support_views", { id: randomUUID(), ...of, ...time, reason: "A lost save" });
    return support;
  }

  const endOf = ({ outcome, results }: Awaited<ReturnType<typeof save>>) => ({ outcome, results });

  it("is done once, however often its request is sent, and not repeated for another value, address or person (threat: guessing a value)", async () => {
    await save();
    const [admin, other] = [await partner.person("admin"), await partner.person("admin")];
    const authorizations = [replace("Bearer new"), keep, remove];
    for (const [index, authorization] of authorizations.entries()) {
      signInAs(admin);
      const operation = randomUUID();
      const moved = { url: `${url}/${index}`, operation, revision: (await read()).revision };
      const first = await save({ ...moved, authorization });
      expect(first.outcome).toBe("saved");
      expect(await save({ ...moved, authorization })).toMatchObject(endOf(first));
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

  it("that was reported as never sent writes nothing when it still arrives, however often", async () => {
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

  it("is not made void for a person who may not save (threat: a viewer blocks saves and fills the database)", async () => {
    const [known, operation] = [randomUUID(), randomUUID()];
    await ask(known);
    for (const reader of [await partner.person("viewer"), await supporting()]) {
      signInAs(reader);
      expect(await ask(operation)).toMatchObject({ outcome: "not_known" });
      expect(await ask(known), "as an editor was told").toMatchObject({ outcome: "none" });
    }
    expect(await voids()).toEqual([known]);
    signInAs(await partner.person("editor"));
    expect(await save({ operation })).toMatchObject({ outcome: "saved" });
    signInAs(await partner.person("viewer"));
    expect(await ask(operation)).toMatchObject({ outcome: "saved" });
  });

  it("that arrived and has stored nothing yet is in progress for everybody, and not reported as never sent", async () => {
    const [editor, viewer] = [await partner.person("editor"), await partner.person("viewer")];
    const operation = randomUUID();
    const { revision } = await read();
    plan(heldReading);
    signInAs(editor);
    const saving = save({ operation, revision });
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await ask(operation)).toMatchObject({ outcome: "in_progress" });
    signInAs(viewer);
    expect(await ask(operation)).toMatchObject({ outcome: "in_progress" });
    expect(await ask(randomUUID())).toMatchObject({ outcome: "not_known" });
    upstream.release();
    expect(await saving).toMatchObject({ outcome: "saved" });
  });

  it("leaves saves their places in the queue, however many unknown ids are queried (threat: a flood of made-up ids)", async () => {
    const { revision } = await read();
    const operation = randomUUID();
    const held = await lockConnection(partner.connectionId, 0);
    let answered = 0;
    const count = () => (answered += 1);
    const asked = Promise.all(Array.from({ length: 40 }, () => ask(randomUUID()).finally(count)));
    // Questions beyond the limit are answered at once, with `not_known`.
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

  it("is made void for one person a limited number of times, and for others after that (threat: one person uses up the limit)", async () => {
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
    for (let i = 0; i < given.length; i += 200) await insert("changes", ...given.slice(i, i + 200));
    const operation = randomUUID();
    expect(await ask(operation)).toMatchObject({ outcome: "not_known" });
    expect(await save({ operation })).toMatchObject({ outcome: "saved" });

    const other = randomUUID();
    await update("changes", { created_at: Date.now() - 25 * 60 * 60_000 });
    const forgottenByNow = await ask(other);
    expect(forgottenByNow, "what nobody can send any more").toMatchObject({ outcome: "none" });
  });

  it("can be found by its id, which reads the service again", async () => {
    const operation = randomUUID();
    await saveUnseen({ operation });
    expect(await ask(operation)).toMatchObject({ outcome: "accepted", open: true });
    await takeIt();
    expect(await ask(operation)).toMatchObject({
      outcome: "saved",
      results: [{ type: "pix_in", outcome: "created" }],
    });
  });

  it("is not credited with a similar state", async () => {
    const mine = randomUUID();
    await saveUnseen({ operation: mine });
    const theirs = randomUUID();
    await save({ operation: theirs });
    expect(await ask(mine)).toMatchObject({ outcome: "overtaken" });
    expect(await ask(theirs)).toMatchObject({ outcome: "saved" });
  });
});

/** The service lists what it holds, with `shown` as each value; null: none. */
async function listShowing(shown: string | null) {
  const items = await partner.registered();
  const webhooks = items.map(({ auth_header, ...item }) => ({
    ...item,
    ...(auth_header && shown !== null && { auth_header: shown }),
  }));
  plan(showing(webhooks));
}

const held = async () =>
  (await partner.registered()).map(({ callback_url, auth_header }) => [callback_url, auth_header]);

const moveKeeping = () => save({ url: `${url}/2`, authorization: keep });

describe("a list that showed the value that was written, and then shows something else", () => {
  it.each([
    { shows: "a digest", shown: "5e884898da280471", code: "retype_other_value" },
    { shows: "the value in lower case", shown: "bearer typed", code: "retype_other_value" },
    { shows: "nothing", shown: null, code: "retype_not_shown" },
  ])("$shows: it is never written, and no person is named for it", async (given) => {
    const { shown, code } = given;
    expect(await save()).toMatchObject({ outcome: "saved" });
    await listShowing(shown);
    expect(await moveKeeping()).toMatchObject({ outcome: code });
    expect(await held()).toEqual([[url, "Bearer typed"]]);
    expect(upstream.counts().register).toBe(0);
    const { webhooks, outside, recentChanges } = await read();
    expect(webhooks).toMatchObject([
      { authorization: { retype: code }, lastChange: { by: null, onlyValue: true } },
    ]);
    expect(outside).toMatchObject([{ before: { callbackUrl: url }, after: { callbackUrl: url } }]);
    expect(recentChanges.find(({ kind }) => kind === "changed_outside")?.changes).toHaveLength(1);
  });

  it("a placeholder: it is never written, and no change is reported", async () => {
    await save();
    await listShowing("Bearer ********");
    expect(await moveKeeping()).toMatchObject({ outcome: "retype_not_shown" });
    expect((await read()).outside).toBeUndefined();
    await listShowing("Bearer other");
    expect((await read()).outside, "seen behind the placeholder").toHaveLength(1);
  });

  it("the written value again: it can be kept", async () => {
    await save();
    await listShowing("hidden");
    await read();
    plan();
    expect(await moveKeeping()).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
  });

  it("another client's value: it is not kept either", async () => {
    await save();
    await partner.register({ url, type: "pix_in", authorization: "Bearer theirs" });
    expect(await moveKeeping()).toMatchObject({ outcome: "retype_other_value" });
    expect(await held()).toEqual([[url, "Bearer theirs"]]);
  });
});

describe("a value that somebody else registered", () => {
  const theirs = { url, type: "pix_in", authorization: "Bearer theirs" } as const;
  beforeEach(() => partner.register(theirs));

  it.each([
    ["as it is", "Bearer theirs"],
    ["as a mask", "Bearer ********"],
    ["as the beginning of the value", "Bearer th"],
    ["not at all", null],
  ])("is never written where the list shows it %s", async (_how, shown) => {
    await listShowing(shown);
    const refusal = { outcome: expect.stringMatching(/^retype_/) as string };
    expect(await moveKeeping()).toMatchObject(refusal);
    expect(await held()).toEqual([[url, "Bearer theirs"]]);
    // Keeping it at the same address writes nothing.
    expect(await save({ authorization: keep })).toMatchObject({ outcome: "unchanged" });
  });

  it.each(["Bearer ********", "Bearer ty", null])(
    "is replaced, and the answer says what the list does not show: %s",
    async (shown) => {
      const listed = (callback_url: string) => {
        const header = shown === null ? {} : { auth_header: shown };
        return [{ type: "pix_in", callback_url, ...header, events: [] }];
      };
      plan(showing(listed(url), { times: 2 }), showing(listed(`${url}/2`)));
      expect(await save({ url: `${url}/2` })).toMatchObject({
        outcome: "accepted",
        results: [{ type: "pix_in", outcome: "accepted", authorization: "not_shown" }],
      });
      expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
      const webhooks = [{ callbackUrl: `${url}/2` }];
      expect(await read()).toMatchObject({ openSaves: [], webhooks });
      expect(await outcomes()).not.toContain("changed_outside");
    },
  );

  it("can be kept once somebody typed it, though nothing had to be sent", async () => {
    expect((await save({ authorization: replace("Bearer theirs") })).outcome).toBe("unchanged");
    expect(await moveKeeping()).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, "Bearer theirs"]]);
    expect(upstream.counts().register).toBe(1);
  });
});

describe("removing a value", () => {
  it("that the list never shows is sent, and the answer says that its removal cannot be confirmed", async () => {
    await partner.register({ url, type: "pix_in", authorization: "Bearer mine" });
    await listShowing(null);
    expect(await save({ authorization: remove })).toMatchObject({
      outcome: "accepted",
      results: [{ outcome: "accepted", authorization: "not_shown" }],
    });
    expect(await held()).toEqual([[url, undefined]]);
    expect(await moveKeeping(), "it may be set").toMatchObject({ outcome: "retype_unproven" });
  });

  it("that the list showed is confirmed, and no value is kept with another address after that", async () => {
    await save();
    expect(await save({ authorization: remove })).toMatchObject({ outcome: "saved" });
    expect(await moveKeeping()).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, undefined]]);
  });

  it("is not credited where the list then shows another value: another client set it", async () => {
    const of = (authorization: string) => ({ url, type: "pix_in", authorization });
    await partner.register(of("Bearer first"));
    await read();
    plan(forgotten);
    expect(await save({ authorization: remove })).toMatchObject({ outcome: "accepted" });
    await partner.register(of("Bearer second"));
    expect(await read()).toMatchObject({ webhooks: [{ lastChange: { by: null } }] });
  });

  it("that the list does not show is said to have been set before another client moved the address", async () => {
    plan(showing([{ type: "pix_in", callback_url: url, events: [] }]));
    await save();
    plan(showing([{ type: "pix_in", callback_url: `${url}/moved`, events: [] }]));
    expect(await read()).toMatchObject({ outside: [{ hadValue: true }] });
  });

  it("that another client may have set since is not confirmed where the list shows none", async () => {
    await save({ authorization: remove });
    const other = `${url}/other`;
    await partner.register({ url: other, type: "pix_in", authorization: "Bearer hidden" });
    await listShowing(null);
    const { outside = [] } = await read();
    expect(outside.map(({ type, hadValue }) => [type, hadValue])).toEqual([["pix_in", undefined]]);
    const kept = await save({ authorization: keep });
    expect(kept, "it may be set").toMatchObject({ outcome: "retype_unproven" });
    expect(await save({ url: other, authorization: remove })).toMatchObject({
      outcome: "accepted",
      results: [{ authorization: "not_shown" }],
    });
  });
});

it.each([
  ["not found", "keep", { status: 404, body: '{"error":"Configuration not found"}' }],
  ["an empty list", "remove", { body: '{"webhooks":[]}' }],
  ["null", "keep", { body: "null" }],
] as const)(
  "an editor cannot move a value to another host while the service answers with %s (threat: being sent the secret)",
  async (_name, action, answer) => {
    await save();
    plan(listing(answer));
    signInAs(await partner.person("editor"));
    const move = { url: "https://attacker.example/", revision: null, authorization: { action } };
    for (const when of ["at once", "once a reading found it gone"]) {
      const { outcome } = await save(move);
      expect(["retype_for_new_origin", "not_saved"], when).toContain(outcome);
      await read();
    }
    expect(await held()).toEqual([[url, "Bearer typed"]]);
    expect(upstream.counts().register).toBe(0);
  },
);

describe("comparing", () => {
  const item = (more: object) => ({
    callback_url: url,
    auth_header: "Bearer typed",
    events: [],
    ...more,
  });

  it.each([
    ["/pix", "https://hooks.example.com:443/a/../pix"],
    ["/%41%7E?q=%2f", "https://HOOKS.example.com/A~?q=%2F"],
  ])("treats %s, which the service writes as %s, as the same address", async (path, written) => {
    plan(showing([item({ type: "pix_in", callback_url: written })], { from: 2 }));
    const typed = `https://hooks.example.com${path}`;
    expect(await save({ url: typed, revision: null })).toMatchObject({ outcome: "saved" });
    const { revision, webhooks } = await read();
    expect(webhooks).toMatchObject([{ callbackUrl: written, lastChange: { by: "The admin" } }]);
    expect(await outcomes()).toEqual(["saved"]);
    expect(await save({ url: typed, revision })).toMatchObject({ outcome: "unchanged" });
  });

  it("ignores the case of a type, and infers an absent one from the events", async () => {
    plan(showing([item({ type: "PIX_IN" }), item({ events: ["transfer.failed"] })]));
    expect(await read()).toMatchObject({
      webhooks: [{ type: "pix_in" }, { type: "pix_out", inferred: true }],
    });
    plan(showing([item({ events: ["transfer.failed", "collection.paid"] })]));
    expect((await read()).unrecognised).toHaveLength(1);
  });

  it("ignores the order of unrecognised items", async () => {
    const [a, b] = [item({ type: "boleto" }), item({ type: "ted" })];
    plan(showing([a, b]));
    const { revision } = await read();
    plan(showing([b, a]));
    expect((await read()).revision).toBe(revision);
  });

  it("records before and after that the list shows no value, not that none is set", async () => {
    const none = { callbackUrl: url, fingerprint: null, hidden: "absent" };
    const reported = async () => (await read()).recentChanges[0]?.changes[0];
    await save();
    await partner.register({ url, type: "pix_in" });
    expect((await reported())?.after).toEqual(none);
    expect(await save({ url: `${url}/2` })).toMatchObject({ outcome: "saved" });
    expect((await reported())?.before).toEqual(none);
  });

  it("records two differing values as a conflict, not as removed", async () => {
    await save();
    plan(showing([item({ type: "pix_in", authorization: "Bearer other" })]));
    const [change] = (await read()).recentChanges;
    expect(change?.changes).toMatchObject([{ after: { conflict: true } }]);
  });

  it.each([
    ["with its value", keep],
    ["with the value typed", replace("Bearer typed")],
  ])(
    "waits before it reports an older state that is shown again as a change, and writes the newer one %s again",
    async (_how, authorization) => {
      await save();
      await save({ url: `${url}/2` });
      await partner.register({ url, type: "pix_in", authorization: "Bearer typed" });
      expect((await read()).webhooks).toMatchObject([{ callbackUrl: url, lastChange: null }]);
      expect(await save({ url: `${url}/2`, authorization })).toMatchObject({ outcome: "saved" });
      expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
      expect(await outcomes()).toEqual(["saved", "saved", "saved"]);
    },
  );
});

describe("time and place", () => {
  it("a save that is sent while the clock is set back is not overtaken by the previous one", async () => {
    await save();
    plan(showing(await partner.registered()));
    await save({ url: `${url}/b` });
    const real = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => real() - 300_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await save({ url: `${url}/c` })).toMatchObject({ outcome: "accepted" });
    expect((await read()).openSaves).toHaveLength(1);
    plan();
    expect(await outcomes()).toEqual(["saved", "accepted", "overtaken", "accepted", "saved"]);
  });

  it("a process that stalled past its deadline writes nothing (threat: overwriting a later save)", async () => {
    const real = performance.now.bind(performance);
    let ahead = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
    onTestFinished(() => clock.mockRestore());
    const { revision } = await read();
    plan(heldReading);
    const saving = save({ revision });
    await expect.poll(() => upstream.counts().list).toBeGreaterThan(0);
    ahead = 46_000;
    upstream.release();
    expect(await saving).toMatchObject({ outcome: "not_saved" });
    expect(upstream.counts().register).toBe(0);
  });

  it("another base address starts without a known state, and gets no token", async () => {
    await save();
    expect((await read()).webhooks).toHaveLength(1);
    await saveUnseen({ url: `${url}/open` });
    expect((await read()).openSaves).toHaveLength(1);
    const moved = await startFaultyUpstream({ sandbox: world.sandbox.url });
    onTestFinished(() => moved.close());
    moveService(moved.url);
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    expect(await read()).toMatchObject({
      webhooks: [{ lastChange: null, authorization: { retype: "retype_unproven" } }],
      openSaves: [],
    });
    expect(moved.counts().token).toBe(1);
    expect(await outcomes()).toEqual(["accepted", "saved"]);
  });

  it("a reading during a save is newer than the previous one, and older than the one that ends it", async () => {
    await saveUnseen();
    const before = await read();
    const lock = await lockConnection(partner.connectionId, 0);
    await takeIt();
    const during = await read();
    expect(during.webhooks).toMatchObject([{ callbackUrl: url, lastChange: null }]);
    expect(during.openSaves).toHaveLength(1);
    plan(listing({ status: 503 }));
    const failed = await read();
    expect([newer(during, failed), newer(failed, before)]).toEqual([failed, failed]);
    plan();
    await lock?.release();
    const after = await read();
    expect(after.openSaves).toEqual([]);
    expect(newer(before, during)).toBe(during);
    expect(newer(during, before)).toBe(during);
    expect(newer(after, during)).toBe(after);
    expect(after.confirmedAgeMs, "the age comes from the server").toBe(
      Date.parse(after.answeredAt) - Date.parse(after.confirmedAt),
    );
    expect(after.confirmedAgeMs).toBeLessThan(10_000);
  });
});
