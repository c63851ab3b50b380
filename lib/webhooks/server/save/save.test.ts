import { db } from "@/lib/platform/database/open";
import { update } from "@/lib/platform/database/testing/rows";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  heldReading,
  history,
  inWorld,
  keep,
  outcomes,
  partner,
  plan,
  read,
  remove,
  replace,
  save as saveOne,
  upstream,
  url,
} from "@/lib/webhooks/testing/in-world";

inWorld();

const save = (request: Partial<SaveRequest> = {}) =>
  saveOne({ type: "both", authorization: keep, ...request });

/** The webhooks at the service, by type. */
const registered = async () =>
  (await partner.registered()).map(({ callback_url, auth_header }) => [callback_url, auth_header]);

/** Saves that have read the connection and wait for its lock. */
const waiting = () =>
  processWide("saves-waiting", () => new Map<string, number>()).get(
    `saves ${partner.connectionId}`,
  );

it("that waited for another knows what that one did: of one submission sent twice at once, one is sent (threat: a second one that goes by what was before the first)", async () => {
  const { revision } = await read();
  const submission = {
    authorization: replace("Bearer one"),
    operation: randomUUID(),
    revision,
  };
  plan(heldReading);
  const first = save(submission);
  await expect.poll(() => upstream.counts().list).toBe(1);
  const second = save(submission);
  await expect.poll(waiting).toBe(1);
  upstream.release();
  expect(await first).toMatchObject({ outcome: "saved" });
  expect(await second).toMatchObject({ outcome: "saved", operation: submission.operation });
  expect(upstream.counts().register).toBe(1);
});

describe("saving at a service that answers", () => {
  const each = (outcome: string) => webhookTypes.map((type) => ({ type, outcome }));

  it("registers both types, and keeps the Authorization value on an overwrite by sending what the service holds", async () => {
    const first = await save({ authorization: replace("Bearer one") });
    expect(first).toMatchObject({ outcome: "saved", results: each("saved") });
    const second = await save({ type: "pix_out", url: `${url}/2` });
    expect(second.results).toMatchObject([{ type: "pix_out", outcome: "saved", answered: 200 }]);
    expect(await registered()).toEqual([
      [url, "Bearer one"],
      [`${url}/2`, "Bearer one"],
    ]);
  });

  it("keeps each type's own value when both are moved and the values differ", async () => {
    for (const type of webhookTypes)
      await partner.registerKnown({ url, type, authorization: `Bearer ${type}` });
    expect(await save({ url: `${url}/moved` })).toMatchObject({ outcome: "saved" });
    expect(await registered()).toEqual([
      [`${url}/moved`, "Bearer pix_in"],
      [`${url}/moved`, "Bearer pix_out"],
    ]);
  });

  it("reports unchanged, and sends nothing, when the service already holds the desired state", async () => {
    await save();
    expect(await save()).toMatchObject({ outcome: "unchanged", results: each("unchanged") });
    expect(upstream.counts().register).toBe(1);
  });

  it("never answers a secret value", async () => {
    const result = await save({ authorization: replace("Bearer very-secret-value") });
    expect(JSON.stringify([result, await read(), await history()])).not.toContain("very-secret");
  });
});

it("saves for one of ten people who save at once, and tells the others that another save came first or is in progress (no lost update)", async () => {
  const { revision } = await read();
  const addresses = Array.from({ length: 10 }, (_, i) => `${url}/${i}`);
  const ends = await Promise.all(addresses.map((at) => save({ url: at, revision })));
  const saved = addresses.filter((_, i) => ends[i]?.outcome === "saved");
  expect(saved).toHaveLength(1);
  const refused = ends.filter(({ outcome }) => outcome !== "saved");
  for (const { outcome, ...end } of refused) {
    // A save waits four seconds at most for others, in which a busy machine may complete only a few.
    expect(["stale_revision", "save_in_progress"]).toContain(outcome);
    expect(end).toMatchObject({ applied: "no" });
  }
  expect((await registered()).map(([address]) => address)).toEqual([saved[0], saved[0]]);
});

describe("permission", () => {
  const errors = [{ path: "authorization", code: "retype_for_new_origin" }];
  const mustRetype = { code: "invalid_fields", errors };
  const lower = (user_id: string, role: PartnerRole) =>
    update("memberships", { role }, { user_id });

  describe("when the service has answered (threat: a request that outlives its person's access)", () => {
    afterEach(() => vi.restoreAllMocks());

    /** Runs `change` while the person's save waits for the service's answer. */
    function meanwhile(change: (person: string) => Promise<unknown>, person: string): void {
      const list = partnerApi().list.bind(partnerApi());
      vi.spyOn(partnerApi(), "list").mockImplementationOnce(async (...args) => {
        const answer = await list(...args);
        await change(person);
        return answer;
      });
    }

    it.each<[string, (person: string) => Promise<unknown>]>([
      [
        "who was removed",
        (person) => db().deleteFrom("memberships").where("user_id", "=", person).execute(),
      ],
      ["who may only look now", (person) => lower(person, "viewer")],
      ["who was disabled", (id) => update("users", { disabled_at: 1 }, { id })],
    ])("refuses %s, and sends nothing", async (_who, change) => {
      const editor = await partner.person("editor");
      signInAs(editor);
      meanwhile(change, editor);
      expect(await save({ revision: null })).toMatchObject({ code: "forbidden" });
      expect(await registered()).toEqual([]);
    });

    it("denies an admin's right to a person who is an editor now (threat: being sent the secret)", async () => {
      await save({ authorization: replace("Bearer one") });
      const { revision } = await read();
      const admin = await partner.person("admin");
      signInAs(admin);
      meanwhile((person) => lower(person, "editor"), admin);
      const moved = await save({ url: "https://attacker.example/", revision });
      expect(moved).toMatchObject({ code: "forbidden" });
      expect((await registered()).map(([address]) => address)).toEqual([url, url]);
    });
  });

  it("refuses an editor who moves the callback to another origin and keeps the value, and records the attempt (threat: being sent the secret, trying until it works)", async () => {
    await save({ authorization: replace("Bearer one") });
    const { webhooks } = await read();
    signInAs(await partner.person("editor"));
    const elsewhere = "https://hooks.example.com:8443/";
    expect(await save({ type: "pix_in", url: elsewhere })).toMatchObject(mustRetype);
    const fingerprint = webhooks[0]?.authorization.fingerprint;
    const { recentChanges } = await read();
    expect(recentChanges[0]).toMatchObject({
      outcome: "not_sent",
      problem: "forbidden",
      actor: { name: "The editor" },
      changes: [
        {
          before: { callbackUrl: url, fingerprint },
          after: { callbackUrl: elsewhere, fingerprint },
        },
      ],
    });
    const typed = { url: elsewhere, authorization: replace("Bearer one") };
    expect(await save(typed)).toMatchObject({ outcome: "saved" });
  });

  describe("where the two types are at different origins", () => {
    const elsewhere = "https://elsewhere.example/pix";
    beforeEach(async () => {
      const at = { pix_in: url, pix_out: elsewhere };
      for (const type of webhookTypes)
        await partner.registerKnown({ url: at[type], type, authorization: `Bearer ${type}` });
      signInAs(await partner.person("editor"));
    });

    it("an editor cannot move either to the other's, alone, together or by leaving the value out: nothing is sent (threat: half a save that leaks)", async () => {
      for (const move of [
        { url },
        { url: elsewhere },
        { type: "pix_out", url },
        { type: "pix_in", url: elsewhere },
        // The service may keep the value.
        { url: elsewhere, authorization: remove },
      ] as const)
        expect(await save(move)).toMatchObject(mustRetype);
      expect(await registered()).toEqual([
        [url, "Bearer pix_in"],
        [elsewhere, "Bearer pix_out"],
      ]);
    });

    it("an editor may overwrite each within its own", async () => {
      const saved = { outcome: "saved" };
      expect(await save({ type: "pix_in", url: `${url}/2` })).toMatchObject(saved);
      expect(await save({ type: "pix_out", url: `${elsewhere}/2` })).toMatchObject(saved);
    });

    it("an editor may move both by typing a value, or where Gancho removed it; an admin may also keep each type's own", async () => {
      const saved = { outcome: "saved" };
      for (const [type, at] of [
        ["pix_in", url],
        ["pix_out", elsewhere],
      ] as const)
        expect(await save({ type, url: at, authorization: remove })).toMatchObject(saved);
      expect(await save({ url })).toMatchObject(saved);
      const typed = { url: elsewhere, authorization: replace("Bearer new") };
      expect(await save(typed)).toMatchObject(saved);
      signInAs(await partner.person("admin"));
      expect(await save({ url })).toMatchObject(saved);
      expect(await registered()).toEqual([
        [url, "Bearer new"],
        [url, "Bearer new"],
      ]);
    });
  });
});

describe("history", () => {
  it("records the attempt before the outcome, with who made it and from where", async () => {
    await save();
    const who = { actor_name: "The admin", client_address: "192.0.2.1" };
    expect(await history()).toMatchObject([
      { seq: 1, kind: "save_attempt", outcome: null, ...who },
      { seq: 2, kind: "save_sent", outcome: "accepted", ...who },
      { seq: 3, kind: "save_shown", outcome: "saved", types: "pix_in,pix_out", ...who },
    ]);
  });

  it("records a change made outside Gancho at the next reading, and only once", async () => {
    await save();
    await partner.register({ url: `${url}/outside`, type: "pix_in" });
    expect(await outcomes()).toEqual(["changed_outside", "saved", "accepted"]);
    const { recentChanges, webhooks } = await read();
    expect(recentChanges).toHaveLength(3);
    expect(recentChanges[0]).toMatchObject({
      types: ["pix_in"],
      actor: null,
      changes: [{ before: { callbackUrl: url }, after: { callbackUrl: `${url}/outside` } }],
    });
    expect(webhooks.map(({ askedBy }) => askedBy?.name)).toEqual([undefined, "The admin"]);
  });

  it("only stores the first reading: there is nothing to compare it with", async () => {
    await partner.register({ url });
    expect((await read()).recentChanges).toEqual([]);
  });
});
