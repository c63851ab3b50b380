import type { Rule } from "@/e2e/faulty-upstream/plan";
import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { randomUUID } from "node:crypto";
import { insert, rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { isLocked, lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { readConnection, replaceConnection } from "@/lib/connection/testing/with-access";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import { deleteExpired } from "@/lib/retention/server/housekeeping";
import { newer } from "@/lib/webhooks/client/query";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { acknowledgeOutside, readStep } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  answering,
  ask,
  forgotten,
  heldReading,
  history,
  inWorld,
  keep,
  listing,
  moveService,
  outcomes,
  partner,
  plan,
  read,
  remove,
  replace,
  save,
  showing,
  timePasses,
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

/** A save that looks and is then refused as stale. */
async function saveStale() {
  const end = await save({ url: `${url}/other`, revision: "stale" });
  expect(end).toMatchObject({ outcome: "stale_revision" });
}

/** Its ten minutes pass, and the reader looks twice after them. */
async function followToTheEnd() {
  for (let look = 1; look <= 3; look += 1) {
    await timePasses(600_000);
    await followDue();
  }
}

const minute = 60_000;

/** What a reading then shows: this address, and that the admin asked for it. */
const asked = [{ callbackUrl: url, askedBy: { name: "The admin" } }];

/** The delayed write takes effect after all. */
const takeIt = () => partner.register({ url, type: "pix_in", authorization: "Bearer typed" });

const changesSchema = z.object({ changes: z.array(z.object({ after: z.unknown() })) });

const changedOutside = async () =>
  (await outcomes()).filter((said) => said === "changed_outside").length;

it("says of each type of a refused save of both what was shown, and that the other was refused", async () => {
  plan(answering(422));
  expect(await save({ type: "both" })).toMatchObject({ outcome: "refused" });
  await partner.register({ url, type: "pix_out", authorization: "Bearer typed" });
  await partner.register({ url: `${url}/other`, type: "pix_in" });
  const { recentChanges } = await read();
  expect(recentChanges.find(({ kind }) => kind === "save_shown")).toMatchObject({
    outcome: "saved",
    changes: [{ type: "pix_out", outcome: "saved", answered: 422 }],
  });
  await followToTheEnd();
  expect((await outcomes()).sort()).toEqual(["changed_outside", "refused", "saved"]);
});

it("a value that is set where none was is looked for again: the list may lag", async () => {
  await partner.register({ url, type: "pix_in" });
  const { revision } = await read();
  const without = { type: "pix_in", callback_url: url, events: [] };
  plan(showing([without], { from: 2, times: 1 }));
  expect(await save({ revision })).toMatchObject({ outcome: "saved" });
  expect(upstream.counts().list).toBe(3);
});

it("a value is not looked for again where the list is known to show none", async () => {
  await save();
  const without = showing([{ type: "pix_in", callback_url: url, events: [] }]);
  plan(without);
  const { revision } = await read();
  plan(without);
  const end = await save({ authorization: replace("Bearer other"), revision });
  expect(end).toMatchObject({ outcome: "accepted" });
  expect(upstream.counts().list).toBe(2);
});

it("a type that is not listed for a minute is told, and not where it was listed in between", async () => {
  await partner.register({ url, type: "pix_in" });
  await read();
  plan(showing([]));
  await read();
  plan();
  await saveStale();
  plan(showing([]));
  await timePasses(minute);
  await read();
  expect(await changedOutside()).toBe(0);
  await timePasses(minute);
  const { outside } = await read();
  expect(outside).toMatchObject([{ before: { callbackUrl: url }, after: null }]);
  expect(await changedOutside()).toBe(1);
});

describe("a write that is acknowledged and shows later", () => {
  it("is accepted, and shown since the look that showed it, which no unknown client is told for", async () => {
    await saveUnseen();
    expect(await read()).toMatchObject({
      webhooks: [],
      openSaves: [{ outcome: "accepted", types: ["pix_in"], by: "The admin" }],
    });
    await takeIt();
    await timePasses(5_000);
    await followDue();
    expect(await read()).toMatchObject({ openSaves: [], webhooks: asked });
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("is still looked for after the machine and its steady clock restart", async () => {
    await saveUnseen();
    await takeIt();
    const next_check_at = (await readSteadyClock()) + 86_400_000;
    await update("changes", { next_check_at }, { partner_id: partner.id });
    await followDue();
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("and never shows is said to be still not shown after ten minutes, once", async () => {
    await saveUnseen();
    await timePasses(minute);
    await followDue();
    expect((await read()).openSaves).toHaveLength(1);
    await followToTheEnd();
    await followDue();
    expect((await read()).openSaves).toEqual([]);
    expect(await outcomes()).toEqual(["not_shown", "accepted"]);
  });

  it("and shows after its time is said so by an entry of its own", async () => {
    await saveUnseen();
    await timePasses(600_000);
    await followDue();
    expect(await history("save_not_shown")).toHaveLength(1);
    await takeIt();
    const { recentChanges } = await read();
    expect(recentChanges[0]).toMatchObject({ kind: "save_shown", late: true });
    expect(await outcomes()).toEqual(["saved", "not_shown", "accepted"]);
  });

  it("and shows first as a placeholder and then exactly, is recorded with the value that it asked for", async () => {
    await save();
    const { revision } = await read();
    const moved = `${url}/2`;
    const webhooks = [{ type: "pix_in", callback_url: moved, authorization: "********" }];
    plan(showing(webhooks, { from: 2 }));
    const end = await save({ url: moved, authorization: replace("Bearer two"), revision });
    expect(end).toMatchObject({ outcome: "partly" });
    plan();
    await read();
    const shown = (await history("save_shown"))
      .filter(({ outcome }) => outcome === "saved")
      .flatMap(({ detail_json }) => changesSchema.parse(JSON.parse(detail_json)).changes)
      .map(({ after }) => after);
    expect(shown).toContainEqual({
      callbackUrl: moved,
      fingerprint: expect.any(String) as string,
    });
  });

  it("says until when it was shown, where another state followed", async () => {
    const operation = randomUUID();
    expect(await save({ operation })).toMatchObject({ outcome: "saved" });
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    const { results } = await ask(operation).then((told) => ({ results: [], ...told }));
    expect(results).toMatchObject([
      {
        outcome: "saved",
        shownAt: expect.any(String) as string,
        shownUntil: expect.any(String) as string,
      },
    ]);
  });

  it("is looked for beside a later save, and what it asked for is told to nobody when it shows", async () => {
    await saveUnseen();
    expect(await save({ url: `${url}/2` })).toMatchObject({ outcome: "saved" });
    expect(await outcomes()).toEqual(["saved", "accepted", "accepted"]);
    await takeIt();
    const { webhooks, recentChanges } = await read();
    expect(webhooks).toMatchObject(asked);
    expect(recentChanges[0]).toMatchObject({ kind: "save_shown", outcome: "saved" });
    await followToTheEnd();
    expect(await changedOutside()).toBe(0);
  });

  it.each([
    ["refused as stale", { url: `${url}/2`, revision: "stale" }],
    ["refused by the service", { url: `${url}/2` }],
  ])("is looked for although a later save was %s", async (_how, request) => {
    const operation = randomUUID();
    await saveUnseen({ operation });
    plan(answering(422));
    await save(request);
    expect(await ask(operation)).toMatchObject({
      outcome: "accepted",
      results: [{ until: expect.any(String) as string }],
    });
    await takeIt();
    expect((await read()).webhooks).toMatchObject(asked);
    expect((await outcomes())[0]).toBe("saved");
  });

  it("and shows during a later save is shown as its own, and told to nobody", async () => {
    await saveUnseen();
    const { revision } = await read();
    const action = { ...forgotten.action, held: true };
    plan({ ...forgotten, action });
    const later = save({ type: "pix_out", url: `${url}/2`, revision });
    await expect.poll(() => upstream.counts().register).toBe(1);
    await takeIt();
    upstream.release();
    expect(await later).toMatchObject({ outcome: "accepted" });
    expect((await outcomes()).sort()).toEqual(["accepted", "accepted", "saved"]);
  });

  it("and shows after its time, when the service can be read again, is shown and told to nobody", async () => {
    await saveUnseen();
    plan(listing({ status: 503 }));
    for (let round = 1; round <= 3; round += 1) {
      await timePasses(600_000);
      await followDue();
    }
    expect((await read()).openSaves, "not looked at since").toMatchObject([
      { outcome: "accepted" },
    ]);
    await takeIt();
    plan();
    expect(await read()).toMatchObject({ openSaves: [], webhooks: asked });
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("is looked for on, where a list leaves the type out when its time is over", async () => {
    await partner.register({ url: `${url}/old`, type: "pix_in" });
    await saveUnseen();
    plan(showing([], { times: 1 }));
    await timePasses(600_000);
    await followDue();
    await takeIt();
    expect(await read()).toMatchObject({ webhooks: asked });
    expect(await outcomes()).toEqual(["saved", "not_shown", "accepted"]);
  });

  it("and is found by one of two readings is told once", async () => {
    await saveUnseen();
    plan(heldReading);
    const slow = read();
    await expect.poll(() => upstream.counts().list).toBe(1);
    await takeIt();
    await timePasses(5_000);
    await followDue();
    // The slow one reads again.
    plan({ ...heldReading, times: 2 });
    upstream.release();
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await isLocked(partner.connectionId)).toBe(false);
    upstream.release();
    expect((await slow).openSaves).toEqual([]);
    expect(await outcomes()).toEqual(["saved", "accepted"]);
  });

  it("explains no change once two looks after its time, a minute apart, did not show it", async () => {
    await saveUnseen();
    plan(listing({ status: 503 }));
    await followToTheEnd();
    plan();
    await read();
    await read();
    expect(await rowOf("changes", { partner_id: partner.id })).toMatchObject({ state: "answered" });
    await timePasses(minute);
    await read();
    expect(await rowOf("changes", { partner_id: partner.id })).toMatchObject({ state: "closed" });
    await takeIt();
    const { outside, webhooks } = await read();
    expect(outside, "who had asked for exactly this is named").toMatchObject([
      { askedBy: { name: "The admin" } },
    ]);
    expect(webhooks).toMatchObject(asked);
  });

  it("is told as a difference where another client set something else", async () => {
    await saveUnseen();
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    expect((await read()).webhooks).toMatchObject([{ askedBy: null }]);
    expect((await outcomes()).sort()).toEqual(["accepted", "changed_outside"]);
  });
});

describe("a write that was not acknowledged", () => {
  const desired = { type: "pix_in", callback_url: url, auth_header: "Bearer typed", events: [] };

  it.each([
    [500, "unclear", ["changed_outside", "saved", "unclear"]],
    [422, "refused", ["changed_outside", "saved", "refused"]],
  ] as const)(
    "and shows for a moment is said to have been shown until then, and that it went is told, after %i",
    async (status, outcome, said) => {
      const operation = randomUUID();
      plan(answering(status));
      expect(await save({ operation })).toMatchObject({ outcome, results: [{ answered: status }] });
      plan(showing([desired], { times: 1 }));
      await read();
      await read();
      const told = await ask(operation);
      expect(told).toMatchObject({
        outcome: "saved",
        results: [{ answered: status, shownUntil: expect.any(String) as string }],
      });
      await followToTheEnd();
      expect(await outcomes()).toEqual(said);
    },
  );

  it("and is shown at once is answered as shown, with the status", async () => {
    plan(answering(500, "first"));
    expect(await save()).toMatchObject({
      outcome: "saved",
      results: [{ answered: 500, shownAt: expect.any(String) as string }],
    });
    expect(await outcomes()).toEqual(["saved", "unclear"]);
  });

  it("and is shown when an unsent save looks is told to nobody", async () => {
    await saveAnswered(422);
    await takeIt();
    await timePasses(600_000);
    await saveStale();
    expect(await read()).toMatchObject({ webhooks: asked });
    expect(await changedOutside()).toBe(0);
  });

  it("is said to be shown where the address appears with another value, which somebody else may have set", async () => {
    const operation = randomUUID();
    plan(answering(500));
    expect(await save({ operation })).toMatchObject({ outcome: "unclear" });
    await partner.register({ url, type: "pix_in", authorization: "Bearer another" });
    const { webhooks, outside } = await read();
    expect(webhooks).toMatchObject([{ callbackUrl: url }]);
    expect(outside, "where the list is not known to show values").toBeUndefined();
    expect(await ask(operation)).toMatchObject({
      outcome: "partly",
      results: [{ value: "other", answered: 500 }],
    });
  });

  it("is asked for by nobody where a list that shows values shows the address without the one that was asked for", async () => {
    expect(await save()).toMatchObject({ outcome: "saved" });
    await partner.register({ url: `${url}/x`, type: "pix_in" });
    await read();
    plan(answering(500));
    expect(await save({ url: `${url}/2` })).toMatchObject({ outcome: "unclear" });
    await partner.register({ url: `${url}/2`, type: "pix_in" });
    expect((await read()).webhooks).toMatchObject([{ callbackUrl: `${url}/2`, askedBy: null }]);
  });

  it.each([
    ["422, and cannot be read back", 422, listing({ status: 503 }, { from: 2 })],
    ["401, and no new token is given", 401, { kind: "token", action: { answer: { status: 403 } } }],
  ] as const)(
    "and was refused with %s, is refused until a look shows it",
    async (_what, status, rule) => {
      const { revision } = await read();
      plan(answering(status, "first"), rule);
      expect(await save({ revision })).toMatchObject({ outcome: "refused" });
      plan();
      expect(await read()).toMatchObject({
        webhooks: asked,
        recentChanges: [{ outcome: "saved", changes: [{ answered: status }] }, {}],
      });
    },
  );

  it("and was refused, yet is shown, is recorded as such in the history", async () => {
    plan(answering(422, "first"));
    expect(await save()).toMatchObject({ outcome: "saved", results: [{ answered: 422 }] });
    expect((await read()).recentChanges).toMatchObject([
      { outcome: "saved", changes: [{ answered: 422 }] },
      { outcome: "refused", problem: "upstream_rejected" },
    ]);
  });

  it("and was shown is never said to be not saved, although another client replaced it", async () => {
    const operation = randomUUID();
    plan(answering(403));
    expect(await save({ operation })).toMatchObject({ outcome: "refused" });
    await takeIt();
    await read();
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    await read();
    await followToTheEnd();
    expect(await ask(operation)).toMatchObject({
      outcome: "saved",
      results: [{ answered: 403, shownUntil: expect.any(String) as string }],
    });
    expect(await changedOutside()).toBe(1);
  });
});

describe("an address that a save asked for, set by another client", () => {
  const setDirectly = (authorization: string) =>
    partner.register({ url, type: "pix_in", authorization });

  it.each([
    ["another value, where the list shows values", "Bearer other", true, 1],
    ["the same value", "Bearer typed", false, 0],
  ] as const)(
    "after the service refused the save, with %s",
    async (_with, authorization, shows, told) => {
      if (shows) await save({ url: `${url}/before` });
      expect(await saveAnswered(422)).toMatchObject({ outcome: "refused" });
      plan();
      await setDirectly(authorization);
      await read();
      await followToTheEnd();
      expect(await changedOutside()).toBe(told);
    },
  );

  it("is told to nobody where the list does not show values", async () => {
    await saveAnswered(422);
    await setDirectly("Bearer other");
    await listShowing("Bearer ********");
    await read();
    await followToTheEnd();
    expect(await outcomes()).toEqual(["partly", "refused"]);
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

it("tells a difference that no save asked for, once, and the return of what was there before, a minute later", async () => {
  await save();
  const older = { type: "pix_in", callback_url: `${url}/older`, events: [] };
  plan(showing([older], { times: 1 }));
  expect(await read()).toMatchObject({ webhooks: [{ askedBy: null }] });
  expect(await read()).toMatchObject({ webhooks: asked });
  expect(await changedOutside()).toBe(1);
  await timePasses(minute);
  const again = await read();
  expect(again.outside, "notifications may have gone elsewhere").toHaveLength(1);
  expect(await outcomes()).toEqual(["changed_outside", "saved", "accepted"]);
});

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

  it("whose row was deleted once it had long been over is not reported as never sent", async () => {
    const operation = randomUUID();
    await save({ operation });
    await followToTheEnd();
    await update("changes", { created_at: 1, closed_at: 1 }, { id: operation });
    await deleteExpired(db(), 90, Date.now());
    expect(await ask(operation)).toMatchObject({ outcome: "not_known" });
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
    expect(await ask(operation)).toMatchObject({ outcome: "accepted" });
    await takeIt();
    expect(await ask(operation)).toMatchObject({
      outcome: "saved",
      results: [{ type: "pix_in", outcome: "saved" }],
    });
  });

  it("is shown where a later one asked for the same: the list shows exactly what it asked for", async () => {
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await saveUnseen({ operation: mine });
    await save({ operation: theirs });
    expect(await ask(mine)).toMatchObject({ outcome: "saved" });
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
  ])("$shows: it is never written, and no person is said to have asked for it", async (given) => {
    const { shown, code } = given;
    expect(await save()).toMatchObject({ outcome: "saved" });
    await listShowing(shown);
    expect(await moveKeeping()).toMatchObject({ outcome: code });
    expect(await held()).toEqual([[url, "Bearer typed"]]);
    expect(upstream.counts().register).toBe(0);
    const { webhooks, outside, recentChanges } = await read();
    expect(webhooks).toMatchObject([{ authorization: { retype: code }, askedBy: null }]);
    expect(outside).toMatchObject([{ before: { callbackUrl: url }, after: { callbackUrl: url } }]);
    expect(recentChanges.find(({ kind }) => kind === "changed_outside")?.changes).toHaveLength(1);
  });

  it("a placeholder: it is never written, and no change is reported", async () => {
    await save();
    await listShowing("Bearer ********");
    expect(await moveKeeping()).toMatchObject({ outcome: "retype_not_shown" });
    expect((await read()).outside).toBeUndefined();
    await listShowing("Bearer other");
    expect((await read()).outside, "another value than before the placeholder").toHaveLength(1);
  });

  it("the written value again: it can be kept", async () => {
    await save();
    await listShowing("hidden");
    await read();
    plan();
    expect(await moveKeeping()).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
  });

  it("a value of one's own with asterisks in it: it can be kept like any other", async () => {
    const own = "Basic q7**w!Zk39-xyz";
    await save({ authorization: replace(own) });
    expect(await moveKeeping()).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, own]]);
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

  it.each([
    ["Bearer ********", "partly", "not_shown"],
    ["Bearer ty", "partly", "other"],
    [null, "partly", "not_shown"],
  ] as const)(
    "is replaced, and the answer says what the list shows instead: %s",
    async (shown, outcome, value) => {
      const listed = (callback_url: string) => {
        const header = shown === null ? {} : { auth_header: shown };
        return [{ type: "pix_in", callback_url, ...header, events: [] }];
      };
      plan(showing(listed(url), { times: 2 }), showing(listed(`${url}/2`)));
      expect(await save({ url: `${url}/2` })).toMatchObject({
        outcome,
        results: [{ type: "pix_in", outcome, value }],
      });
      expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
      expect(await read()).toMatchObject({ webhooks: [{ callbackUrl: `${url}/2` }] });
      expect(await outcomes()).not.toContain("changed_outside");
    },
  );

  it("was asked for here once a save asked to leave it, though nothing had to be sent, and is not proven by that", async () => {
    expect(await read()).toMatchObject({ webhooks: [{ askedBy: null }] });
    const asked = { webhooks: [{ askedBy: { name: "The admin" } }] };
    expect(await save({ authorization: keep })).toMatchObject({
      outcome: "unchanged",
      configuration: asked,
    });
    expect(await read()).toMatchObject(asked);
    expect(await moveKeeping()).toMatchObject({ outcome: "retype_unproven" });
  });

  it("can be kept once somebody typed it, though nothing had to be sent", async () => {
    expect((await save({ authorization: replace("Bearer theirs") })).outcome).toBe("unchanged");
    expect(await moveKeeping()).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, "Bearer theirs"]]);
    expect(upstream.counts().register).toBe(1);
  });
});

describe("removing a value", () => {
  it("that the list never shows is sent all the same", async () => {
    await partner.register({ url, type: "pix_in", authorization: "Bearer mine" });
    await listShowing(null);
    expect(await save({ authorization: remove })).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[url, undefined]]);
  });

  it("that the list showed is confirmed, and no value is kept with another address after that", async () => {
    await save();
    expect(await save({ authorization: remove })).toMatchObject({ outcome: "saved" });
    expect(await moveKeeping()).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[`${url}/2`, undefined]]);
  });

  it("is told as a difference where the list then shows another value", async () => {
    const of = (authorization: string) => ({ url, type: "pix_in", authorization });
    await partner.register(of("Bearer first"));
    await read();
    plan(forgotten);
    expect(await save({ authorization: remove })).toMatchObject({ outcome: "accepted" });
    await partner.register(of("Bearer second"));
    expect(await read()).toMatchObject({ webhooks: [{ askedBy: null }], outside: [{}] });
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
    const kept = await save({ url: `${url}/2`, authorization: keep });
    expect(kept, "it may be set").toMatchObject({ outcome: "retype_unproven" });
  });
});

describe("no value, as a save here asked, at a list that hides values", () => {
  const hiding = (address: string, more: Partial<Rule> = {}) =>
    showing([{ type: "pix_in", callback_url: address, events: [] }], more);

  /** Is applied and shown by the looks after it. */
  async function saveHidden(request: Partial<SaveRequest>, status = 200) {
    const { revision, webhooks } = await read();
    const before = webhooks.map(({ callbackUrl }) => hiding(callbackUrl, { times: 1 }));
    plan(answering(status, "first"), ...before, hiding(request.url ?? url, { from: 2 }));
    const end = await save({ revision, ...request });
    plan(hiding(request.url ?? url));
    return end;
  }

  /** Each step of the editor's, which may leave a value at the service that the list does not show. */
  const mayLeaveOne: Record<string, () => Promise<unknown>> = {
    "the value before it was kept, though none is shown as the removal asked": async () => {
      await saveHidden({});
      await followToTheEnd();
      plan(answering(200), hiding(url));
      const { revision } = await read();
      const removed = await save({ revision, authorization: remove });
      expect(removed).toMatchObject({ outcome: "saved" });
    },
    "the same, of a value that was shown as a placeholder": async () => {
      await partner.register({ url, type: "pix_in", authorization: "Bearer theirs" });
      plan(showing([{ type: "pix_in", callback_url: url, authorization: "********" }]));
      await read();
      plan(answering(200), hiding(url));
      const { revision } = await read();
      await save({ revision, authorization: remove });
    },
    "a value that was refused was applied": async () => {
      expect(await saveHidden({}, 422)).toMatchObject({ outcome: "partly" });
    },
    "a value that was refused may have been applied at the address that has none": async () => {
      expect(await saveHidden({ authorization: remove })).toMatchObject({ outcome: "saved" });
      await saveHidden({}, 422);
      // The list shows the same as before, and for as long as anybody looks for the save.
      await followToTheEnd();
    },
    "the same, and the list could not be read after it": async () => {
      expect(await saveHidden({ authorization: remove })).toMatchObject({ outcome: "saved" });
      const { revision } = await read();
      plan(answering(422, "first"), hiding(url, { times: 1 }), listing({ status: 503 }));
      expect(await save({ revision })).toMatchObject({ outcome: "refused" });
      plan(hiding(url));
    },
    "no look could read the type after a value was sent": async () => {
      await partner.register({ url, type: "pix_in" });
      const item = { type: "pix_in", callback_url: url, events: [] };
      plan(hiding(url, { times: 2 }), showing([item, item], { from: 3 }));
      expect((await save({ revision: (await read()).revision })).outcome).toBe("accepted");
      plan(answering(200), hiding(url));
      const { revision } = await read();
      const removed = await save({ revision, authorization: remove });
      expect(removed).toMatchObject({ outcome: "saved" });
    },
    "the list hides what was sent for the other type": async () => {
      await partner.register({ url, type: "pix_in", authorization: "Bearer theirs" });
      const both = showing(
        (["pix_in", "pix_out"] as const).map((type) => ({ type, callback_url: url, events: [] })),
      );
      plan(answering(200), both);
      expect(await save({ type: "pix_out" })).toMatchObject({ outcome: "accepted" });
      plan(answering(200), both);
      const { revision } = await read();
      const removed = await save({ revision, authorization: remove });
      expect(removed).toMatchObject({ outcome: "saved" });
    },
    "the removal of somebody else's was refused": async () => {
      await partner.register({ url, type: "pix_in", authorization: "Bearer theirs" });
      plan(hiding(url));
      const { revision } = await read();
      plan(answering(422), hiding(url));
      await save({ revision, authorization: remove });
      plan(hiding(url));
    },
    "another client registers what an earlier save had asked for": async () => {
      await saveHidden({ authorization: remove });
      await saveHidden({ url: `${url}/2`, authorization: remove });
      await followToTheEnd();
      await partner.register({ url, type: "pix_in", authorization: "Bearer theirs" });
      plan(hiding(url));
      const { outside = [] } = await read();
      const changes = outside.map(({ id }) => id);
      expect(changes).toHaveLength(1);
      const context = { requestId: "test", clientAddress: "192.0.2.1" };
      await acknowledgeOutside(partner.id, partner.environment, { changes }, context);
    },
  };

  it.each(Object.entries(mayLeaveOne))(
    "is not proven where %s: an editor moves none to another host (threat: being sent the secret)",
    async (_how, leaveOne) => {
      signInAs(await partner.person("editor"));
      await leaveOne();
      const before = await held();
      await timePasses(minute);
      await followDue();
      const { webhooks } = await read();
      expect(webhooks[0]).toMatchObject({ authorization: { retype: "retype_unproven" } });
      for (const authorization of [keep, remove])
        expect(await save({ url: "https://elsewhere.example/", authorization })).toMatchObject({
          outcome: "retype_for_new_origin",
        });
      signInAs(await partner.person("admin"));
      expect(await moveKeeping()).toMatchObject({ outcome: "retype_unproven" });
      expect(await held()).toEqual(before);
      expect(JSON.stringify(before)).toContain("Bearer");
    },
  );

  it("lets an editor move it to another host while no value was ever sent, and not once one was", async () => {
    signInAs(await partner.person("editor"));
    const elsewhere = { url: "https://elsewhere.example/", authorization: keep };
    expect(await saveHidden({ authorization: remove })).toMatchObject({ outcome: "saved" });
    expect(await saveHidden(elsewhere)).toMatchObject({ outcome: "saved" });
    expect(await held()).toEqual([[elsewhere.url, undefined]]);
    await followToTheEnd();
    await saveHidden({ url: elsewhere.url }, 422);
    expect(await saveHidden({ url: elsewhere.url, authorization: remove })).toMatchObject({
      outcome: "saved",
    });
    expect(await save({ authorization: keep })).toMatchObject({ outcome: "retype_for_new_origin" });
  });
});

it("an editor moves no value to another host where the list shows values, and not while a refused one may be there", async () => {
  signInAs(await partner.person("editor"));
  const elsewhere = { url: "https://elsewhere.example/", authorization: keep };
  await save();
  expect(await save({ authorization: remove })).toMatchObject({ outcome: "saved" });
  expect(await saveAnswered(422)).toMatchObject({ outcome: "refused" });
  expect(await save(elsewhere)).toMatchObject({ outcome: "retype_for_new_origin" });
  expect(await save({ authorization: remove })).toMatchObject({ outcome: "saved" });
  expect(await save(elsewhere)).toMatchObject({ outcome: "saved" });
  expect(await held()).toEqual([[elsewhere.url, undefined]]);
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
      expect(["retype_for_new_origin", "not_sent"], when).toContain(outcome);
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
    expect(webhooks).toMatchObject([{ callbackUrl: written, askedBy: { name: "The admin" } }]);
    expect(await outcomes()).toEqual(["saved", "accepted"]);
    expect(await save({ url: typed, revision })).toMatchObject({ outcome: "unchanged" });
  });

  it.each([
    ["with a slash at its end", "/pix", "https://hooks.example.com/pix/"],
    ["with its parameters sorted", "/pix?b=2&a=1", "https://hooks.example.com/pix?a=1&b=2"],
    ["with the usual port", "/pix", "https://hooks.example.com:8443/pix"],
  ])(
    "a save is saved where the service writes its address %s, and told to nobody",
    async (_how, path, written) => {
      plan(showing([item({ type: "pix_in", callback_url: written })], { from: 2 }));
      const typed = `https://hooks.example.com${path}`;
      expect(await save({ url: typed, revision: null })).toMatchObject({ outcome: "saved" });
      await followToTheEnd();
      expect(await outcomes()).toEqual(["saved", "accepted"]);
    },
  );

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
    "waits before it tells that an older state is shown again, and writes the newer one %s again",
    async (_how, authorization) => {
      await save();
      await save({ url: `${url}/2` });
      await partner.register({ url, type: "pix_in", authorization: "Bearer typed" });
      expect((await read()).webhooks).toMatchObject([{ callbackUrl: url }]);
      expect(await save({ url: `${url}/2`, authorization })).toMatchObject({ outcome: "saved" });
      expect(await held()).toEqual([[`${url}/2`, "Bearer typed"]]);
      expect(await changedOutside()).toBe(0);
    },
  );
});

describe("time and place", () => {
  it("a save that is sent while the clock is set back is looked for like any other", async () => {
    await save();
    plan(showing(await partner.registered()));
    await save({ url: `${url}/b` });
    const real = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => real() - 300_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await save({ url: `${url}/c` })).toMatchObject({ outcome: "accepted" });
    expect((await read()).openSaves).toHaveLength(2);
    plan();
    expect(await outcomes()).toEqual(["saved", "accepted", "accepted", "saved", "accepted"]);
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
    expect(await saving).toMatchObject({ outcome: "not_sent" });
    expect(upstream.counts().register).toBe(0);
  });

  it("a save that another client's credentials ended says when it was last looked for as the one that made it", async () => {
    const operation = randomUUID();
    await saveUnseen({ operation });
    await read();
    const client_id = `other-${randomUUID()}`;
    const client_secret = `secret-of-${client_id}`;
    world.sandbox.setClients([{ client_id, client_secret }]);
    const { version } = await readConnection(partner.id, partner.environment);
    const other = { clientId: client_id, clientSecret: client_secret, version };
    const context = { requestId: "test", clientAddress: null };
    await replaceConnection(partner.id, partner.environment, other, context);
    const replacedAt = new Date().toISOString();
    plan(showing([{ type: "pix_in", callback_url: url, authorization: "Bearer typed" }]));
    await read();
    const asked = await ask(operation);
    expect(asked).toMatchObject({
      outcome: "accepted",
      results: [{ lookedAt: expect.any(String) as string }],
    });
    const [result] = "results" in asked ? asked.results : [];
    expect(result?.lookedAt && result.lookedAt < replacedAt).toBe(true);
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
      webhooks: [{ askedBy: null, authorization: { retype: "retype_unproven" } }],
      openSaves: [],
    });
    expect(moved.counts().token).toBe(1);
    expect(await outcomes()).toEqual(["accepted", "saved", "accepted"]);
  });

  it("a reading during a save is newer than the previous one, and older than the one that ends it", async () => {
    await saveUnseen();
    const before = await read();
    const lock = await lockConnection(partner.connectionId, 0);
    await takeIt();
    const during = await read();
    expect(during.webhooks).toMatchObject(asked);
    plan(listing({ status: 503 }));
    const failed = await read();
    expect([newer(during, failed), newer(failed, before)]).toEqual([failed, failed]);
    const apartMs = Date.parse(failed.confirmedAt) - Date.parse(during.confirmedAt);
    expect(Math.abs(apartMs), "the time of the look that it shows").toBeLessThan(100);
    plan();
    await lock?.release();
    const after = await read();
    expect(newer(before, during)).toBe(during);
    expect(newer(during, before)).toBe(during);
    expect(newer(after, during)).toBe(after);
    expect(after.confirmedAgeMs, "the age comes from the server").toBe(
      Date.parse(after.answeredAt) - Date.parse(after.confirmedAt),
    );
    expect(after.confirmedAgeMs).toBeLessThan(10_000);
  });
});
