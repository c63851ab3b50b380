import { ProblemError } from "@/lib/platform/http/model/problem";
import { db } from "@/lib/platform/database/open";
import { thrownProblem as problem } from "@/lib/platform/http/testing/thrown-problem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { history, inWorld, partner, read } from "@/lib/webhooks/testing/in-world";

inWorld();

const url = "https://hooks.example.com/pix";
const keep = { action: "keep" } as const;
const replace = (value: string) => ({ action: "replace", value }) as const;

function save(request: Partial<SaveRequest>) {
  const body: SaveRequest = { type: "both", url, revision: null, authorization: keep, ...request };
  return saveConfiguration(partner.id, "sandbox", body, {
    requestId: "test-save",
    clientAddress: "192.0.2.1",
  });
}

/** The problem's code, where nothing was applied. */
function refusalOf(reason: unknown): string {
  return reason instanceof ProblemError && reason.init.applied === "no" ? reason.code : "crash";
}

function remove(person: string) {
  return db().deleteFrom("memberships").where("user_id", "=", person).execute();
}

function lower(person: string, role: "viewer" | "editor") {
  return db().updateTable("memberships").set({ role }).where("user_id", "=", person).execute();
}

describe("saving at a service that answers", () => {
  it("registers both types and reports created for each", async () => {
    const result = await save({ authorization: replace("Bearer one") });
    expect(result).toMatchObject({
      outcome: "saved",
      results: [
        { type: "pix_in", outcome: "created" },
        { type: "pix_out", outcome: "created" },
      ],
    });
    expect(await partner.registered()).toMatchObject([
      { type: "pix_in", callback_url: url, auth_header: "Bearer one" },
      { type: "pix_out", callback_url: url, auth_header: "Bearer one" },
    ]);
  });

  it("keeps the Authorization value on an overwrite by sending what the service holds", async () => {
    const first = await save({ authorization: replace("Bearer one") });
    const second = await save({
      type: "pix_out",
      url: `${url}/2`,
      revision: first.configuration?.revision ?? null,
    });
    expect(second.results).toEqual([{ type: "pix_out", outcome: "overwritten" }]);
    expect(await partner.registered()).toMatchObject([
      { type: "pix_in", callback_url: url, auth_header: "Bearer one" },
      { type: "pix_out", callback_url: `${url}/2`, auth_header: "Bearer one" },
    ]);
  });

  it("keeps each type's own value when both are moved and the values differ", async () => {
    await partner.registerKnown({ url, type: "pix_in", authorization: "Bearer in" });
    await partner.registerKnown({ url, type: "pix_out", authorization: "Bearer out" });
    const { revision } = await read();
    const result = await save({ url: `${url}/moved`, revision });
    expect(result.outcome).toBe("saved");
    expect(await partner.registered()).toMatchObject([
      { callback_url: `${url}/moved`, auth_header: "Bearer in" },
      { callback_url: `${url}/moved`, auth_header: "Bearer out" },
    ]);
  });

  it("removes the Authorization value and sees that it is gone", async () => {
    const first = await save({ authorization: replace("Bearer one") });
    const second = await save({
      authorization: { action: "remove" },
      revision: first.configuration?.revision ?? null,
    });
    expect(second.outcome).toBe("saved");
    expect(second.configuration?.webhooks.map((webhook) => webhook.authorization.set)).toEqual([
      false,
      false,
    ]);
  });

  it("reports unchanged, and sends nothing, when the service already holds the desired state", async () => {
    const first = await save({});
    const again = await save({ revision: first.configuration?.revision ?? null });
    expect(again).toMatchObject({
      outcome: "unchanged",
      results: [
        { type: "pix_in", outcome: "unchanged" },
        { type: "pix_out", outcome: "unchanged" },
      ],
    });
  });

  it("never answers a secret value", async () => {
    const result = await save({ authorization: replace("Bearer very-secret-value") });
    expect(JSON.stringify(result)).not.toContain("very-secret-value");
    expect(JSON.stringify(await read())).not.toContain("very-secret-value");
    expect(JSON.stringify(await history())).not.toContain("very-secret-value");
  });
});

describe("a revision that is not the present one", () => {
  it("is refused with the present configuration, and nothing is sent", async () => {
    await partner.register({ url: `${url}/theirs` });
    const stale = await problem(save({}));
    expect(stale.code).toBe("stale_revision");
    expect(stale.init.applied).toBe("no");
    expect(stale.init.extra).toMatchObject({
      configuration: { webhooks: [{ callbackUrl: `${url}/theirs` }, {}] },
    });
    expect(await partner.registered()).toMatchObject([
      { callback_url: `${url}/theirs` },
      { callback_url: `${url}/theirs` },
    ]);
  });

  it("or that another save is in progress is answered to all but one of ten people who save at once (no lost update)", async () => {
    const addresses = Array.from({ length: 10 }, (_, i) => `${url}/${i}`);
    const ends = await Promise.allSettled(addresses.map((address) => save({ url: address })));
    const saved = addresses.filter((_, i) => ends[i]?.status === "fulfilled");
    expect(saved).toHaveLength(1);
    for (const end of ends) {
      if (end.status === "fulfilled") expect(end.value.outcome).toBe("saved");
      // Nobody waits for another save for longer than four seconds, in which a busy machine ends few.
      else expect(["stale_revision", "save_in_progress"]).toContain(refusalOf(end.reason));
    }
    const held = (await partner.registered()).map((item) => item.callback_url);
    expect(held).toEqual([saved[0], saved[0]]);
  });
});

describe("permission", () => {
  describe("when the service has answered (threat: a request that runs on while its person is shut out)", () => {
    afterEach(() => vi.restoreAllMocks());

    /** Something that happens to the person while their save waits for the service's answer. */
    function meanwhile(change: (person: string) => Promise<unknown>, person: string): void {
      const list = partnerApi().list.bind(partnerApi());
      vi.spyOn(partnerApi(), "list").mockImplementationOnce(async (...args) => {
        const answer = await list(...args);
        await change(person);
        return answer;
      });
    }

    it.each<[string, (person: string) => Promise<unknown>]>([
      ["who was removed", remove],
      ["who may only look now", (person) => lower(person, "viewer")],
      [
        "who was disabled",
        (person) =>
          db().updateTable("users").set({ disabled_at: 1 }).where("id", "=", person).execute(),
      ],
    ])("refuses %s, and sends nothing", async (_who, change) => {
      const editor = await partner.person("editor");
      signInAs(editor);
      meanwhile(change, editor);
      expect((await problem(save({}))).code).toBe("forbidden");
      expect(await partner.registered()).toEqual([]);
    });

    it("refuses an admin's right to a person who is an editor now (threat: being sent the secret)", async () => {
      const { configuration } = await save({ authorization: replace("Bearer one") });
      const admin = await partner.person("admin");
      signInAs(admin);
      meanwhile((person) => lower(person, "editor"), admin);
      const moved = save({
        url: "https://attacker.example/",
        revision: configuration?.revision ?? null,
      });
      expect((await problem(moved)).code).toBe("forbidden");
      expect(await partner.registered()).toMatchObject([
        { callback_url: url },
        { callback_url: url },
      ]);
    });
  });

  it("refuses an editor who moves the callback to another origin and keeps the value (threat: being sent the secret)", async () => {
    const first = await save({ authorization: replace("Bearer one") });
    const revision = first.configuration?.revision ?? null;
    signInAs(await partner.person("editor"));
    const refused = await problem(save({ url: "https://attacker.example/", revision }));
    expect(refused.code).toBe("invalid_fields");
    expect(refused.init.errors).toMatchObject([
      { path: "authorization", code: "retype_for_new_origin" },
    ]);
    const typed = await save({
      url: "https://new.example/",
      revision,
      authorization: replace("Bearer one"),
    });
    expect(typed.outcome).toBe("saved");
  });

  it("tells the partner of a refused move, without the value (threat: trying until it works, unseen)", async () => {
    const { configuration } = await save({ authorization: replace("Bearer one") });
    const { revision, webhooks } = configuration ?? { revision: null, webhooks: [] };
    signInAs(await partner.person("editor"));
    await problem(save({ type: "pix_in", url: "https://hooks.example.com:8443/", revision }));
    const { recentChanges } = await read();
    expect(recentChanges[0]).toMatchObject({
      outcome: "not_saved",
      problem: "forbidden",
      actor: { name: "The editor" },
      changes: [
        {
          before: { callbackUrl: url, fingerprint: webhooks[0]?.authorization.fingerprint },
          after: {
            callbackUrl: "https://hooks.example.com:8443/",
            fingerprint: webhooks[0]?.authorization.fingerprint,
          },
        },
      ],
    });
  });

  describe("where the two types are at different origins", () => {
    const elsewhere = "https://elsewhere.example/pix";
    let revision: string | null;
    beforeEach(async () => {
      const at = { pix_in: url, pix_out: elsewhere };
      for (const type of ["pix_in", "pix_out"] as const)
        await partner.registerKnown({
          url: at[type],
          type,
          authorization: `Bearer ${type}`,
        });
      signInAs(await partner.person("editor"));
      revision = (await read()).revision;
    });

    it("an editor moves neither to the other's, alone or with it: nothing is sent (threat: half a save that leaks)", async () => {
      const moves = [
        { url },
        { url: elsewhere },
        { type: "pix_out", url },
        { type: "pix_in", url: elsewhere },
      ] as const;
      for (const move of moves) {
        const refused = await problem(save({ ...move, revision }));
        expect(refused.init.errors).toMatchObject([{ code: "retype_for_new_origin" }]);
      }
      expect(await partner.registered()).toMatchObject([
        { callback_url: url, auth_header: "Bearer pix_in" },
        { callback_url: elsewhere, auth_header: "Bearer pix_out" },
      ]);
    });

    it("an editor overwrites each within its own", async () => {
      const first = await save({ type: "pix_in", url: `${url}/2`, revision });
      revision = first.configuration?.revision ?? null;
      const second = await save({ type: "pix_out", url: `${elsewhere}/2`, revision });
      expect([first.outcome, second.outcome]).toEqual(["saved", "saved"]);
    });

    it("an editor cannot move a value by leaving it out: the service may keep it (threat: being sent the secret)", async () => {
      const removing = save({ url: elsewhere, revision, authorization: { action: "remove" } });
      const { code, init } = await problem(removing);
      expect([code, init.errors?.[0]?.code]).toEqual(["invalid_fields", "retype_for_new_origin"]);
      const unseen = await problem(save({ url: elsewhere, revision }));
      expect(unseen.init.errors?.[0]?.code).toBe("retype_for_new_origin");
    });

    it("an editor moves both by typing a value, or where Gancho removed it; an admin also with each its own", async () => {
      for (const type of ["pix_in", "pix_out"] as const) {
        const at = (await partner.registered()).find((each) => each.type === type);
        const removing = { type, url: at?.callback_url ?? "", revision };
        const removed = await save({ ...removing, authorization: { action: "remove" } });
        expect(removed.outcome).toBe("saved");
        revision = removed.configuration?.revision ?? null;
      }
      const nothingToKeep = await save({ url, revision });
      expect(nothingToKeep.outcome).toBe("saved");
      revision = nothingToKeep.configuration?.revision ?? null;
      const typed = await save({ url: elsewhere, revision, authorization: replace("Bearer new") });
      expect(typed.outcome).toBe("saved");
      signInAs(await partner.person("admin"));
      revision = typed.configuration?.revision ?? null;
      const moved = await save({ url, revision });
      expect(moved.outcome).toBe("saved");
      expect(await partner.registered()).toMatchObject([
        { callback_url: url, auth_header: "Bearer new" },
        { callback_url: url, auth_header: "Bearer new" },
      ]);
    });
  });
});

describe("history", () => {
  it("holds the attempt before the outcome, with who and from where", async () => {
    await save({});
    expect(await history()).toMatchObject([
      {
        seq: 1,
        kind: "save_attempt",
        outcome: null,
        actor_name: "The admin",
        client_address: "192.0.2.1",
      },
      { seq: 2, kind: "save", outcome: "saved", types: "pix_in,pix_out", request_id: "test-save" },
    ]);
  });

  it("records a change made outside Gancho at the next reading, and only once", async () => {
    await save({});
    await partner.register({ url: `${url}/outside`, type: "pix_in" });
    await read();
    const { recentChanges, webhooks } = await read();
    expect(recentChanges.map((entry) => [entry.kind, entry.outcome])).toEqual([
      ["changed_outside", "seen"],
      ["save", "saved"],
    ]);
    expect(recentChanges[0]).toMatchObject({
      types: ["pix_in"],
      actor: null,
      changes: [{ before: { callbackUrl: url }, after: { callbackUrl: `${url}/outside` } }],
    });
    expect(webhooks.map((webhook) => webhook.lastChange?.by)).toEqual([null, "The admin"]);
  });

  it("only stores the first reading: there is nothing to compare it with", async () => {
    await partner.register({ url });
    expect((await read()).recentChanges).toEqual([]);
  });
});

it("shows the last confirmed configuration as stale while the service is away, and recovers", async () => {
  await save({});
  const before = await read();
  partner.setActive(false);
  const during = await read();
  expect(during).toMatchObject({
    stale: true,
    staleReason: { code: "credentials_rejected" },
    webhooks: before.webhooks,
  });
  partner.setActive(true);
  partnerApi().forget(partner.connectionId);
  expect(await read()).toMatchObject({ stale: false, revision: before.revision });
});
