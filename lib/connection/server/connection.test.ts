import type { Plan } from "@/e2e/faulty-upstream/plan";
import { db } from "@/lib/platform/database/open";
import type { ProblemError } from "@/lib/platform/http/model/problem";
import { erasePerson } from "@/lib/retention/server/erase-person";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { readWithChanges } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { thrownProblem as problem } from "@/lib/platform/http/testing/thrown-problem";
import { isWaiting } from "@/lib/platform/database/testing/locks";
import { forgetOverview } from "@/lib/partners/server/list/overview";
import { storeCheck } from "./check";
import { inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { setDatabaseTime } from "@/lib/platform/runtime/database-time";
import { whileClockIsAhead } from "@/lib/platform/runtime/testing/clock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as overviewModule from "@/lib/partners/server/list/overview";
import type * as fieldModule from "@/lib/platform/secrets/field";
import {
  checkConnection,
  readConnection,
  replaceConnection,
} from "@/lib/connection/testing/with-access";
import type { ConnectionRequest } from "@/lib/connection/model/request";
import {
  answering,
  history,
  inWorld,
  keep,
  listing,
  moveService,
  partner,
  plan,
  save,
  upstream,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";

const stall = vi.hoisted(() => ({
  /** Awaited where the replacement, which has the connection's lock by then, encrypts the secret. */
  until: undefined as undefined | (() => Promise<unknown>),
  /** Awaited where a reading has stored what is new, and not yet the row of the list. */
  recording: undefined as undefined | (() => Promise<unknown>),
}));

vi.mock("@/lib/partners/server/list/overview", async (original) => {
  const real = await original<typeof overviewModule>();
  return {
    ...real,
    recordOverview: async (...given: Parameters<typeof real.recordOverview>) => {
      await stall.recording?.();
      return real.recordOverview(...given);
    },
  };
});

vi.mock("@/lib/platform/secrets/field", async (original) => {
  const real = await original<typeof fieldModule>();
  return {
    ...real,
    encryptFor: async (...given: Parameters<typeof real.encryptFor>) => {
      await stall.until?.();
      return real.encryptFor(...given);
    },
  };
});

/** Clients that the service knows besides those of the test's partners. */
const others: { clientId: string; clientSecret: string }[] = [];

inWorld();
beforeEach(() => {
  others.length = 0;
  stall.until = undefined;
  stall.recording = undefined;
});

const context = { requestId: "test-request", clientAddress: "192.0.2.1" };
const get = () => readConnection(partner.id, "sandbox");
const check = () => checkConnection(partner.id, "sandbox", context);
const readWebhooks = () => readWithChanges(partner.id, "sandbox", { requestId: "test-look" });

/** The form as it opens, with what the person changed in it. */
async function put(changes: Partial<ConnectionRequest>) {
  const { clientId, version } = await get();
  const request = { clientId: clientId ?? "", version, ...changes };
  return replaceConnection(partner.id, "sandbox", request, context);
}

/** Another API user of the service that this partner could be connected as. */
function addClient() {
  const clientId = `other-${randomUUID()}`;
  const client = { clientId, clientSecret: `secret of ${clientId}` };
  others.push(client);
  setClients();
  return client;
}

function setClients(secret = partner.clientSecret) {
  const clients = [{ clientId: partner.clientId, clientSecret: secret }, ...others];
  world.sandbox.setClients(
    clients.map(({ clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
    })),
  );
}

async function entries(kind: "connection_changed" | "connection_checked") {
  const rows = await history(kind);
  return rows.map(({ outcome, actor_name, client_address, detail }) => {
    return { outcome, actor: actor_name, address: client_address, ...detail };
  });
}

const disconnect = () =>
  db().deleteFrom("connections").where("partner_id", "=", partner.id).execute();

describe.runIf(process.env["TEST_ENGINE"] === "postgres")("two that lock the same rows", () => {
  it("a check and a replacement end both", async () => {
    const { connectionId: id, id: partnerId } = partner;
    let checking: Promise<unknown> | undefined;
    await inTransaction(async (trx) => {
      await trx
        .updateTable("connections")
        .set({ client_id: addClient().clientId, version: 2 })
        .where("id", "=", id)
        .execute();
      checking = check();
      await expect.poll(() => isWaiting(db())).toBe(true);
      await forgetOverview(trx, { partnerId, environment: "sandbox" });
      const replaced = { id, version: 2, baseUrl: upstream.url };
      await storeCheck(trx, replaced, null, { actor: null, requestId: "replacing" });
    });
    await checking;
    expect(await rowOf("connection_checks", { connection_id: id })).toMatchObject({
      version: 2,
      request_id: "replacing",
    });
  });

  it("a reading with news and a replacement end both", async () => {
    await readWebhooks();
    await partner.register({ url });
    const { clientId, clientSecret } = addClient();
    let replacing: Promise<unknown> | undefined;
    stall.recording = async () => {
      stall.recording = undefined;
      replacing = put({ clientId, clientSecret });
      await expect.poll(() => isWaiting(db())).toBe(true);
    };
    await readWebhooks();
    await replacing;
    expect(await get()).toMatchObject({ clientId });
  });
});

it("is checked without keeping the name of a person who is erased meanwhile (threat: a name that comes back)", async () => {
  const email = `${randomUUID()}@people.example`;
  const person = await partner.person("admin");
  await update("users", { email }, { id: person });
  signInAs(person);
  plan({ kind: "token", action: { held: true } });
  const checking = check();
  await expect.poll(() => upstream.counts().token).toBe(1);
  expect(await erasePerson(db(), email)).toEqual({ outcome: "erased" });
  upstream.release();
  expect((await checking).lastCheck).toMatchObject({ by: "Erased person" });
});

it("has the database's times, as its entries do (threat: an instance whose clock is wrong)", async () => {
  setDatabaseTime(Date.now() - performance.now());
  setClients("brand-new-secret");
  await whileClockIsAhead(async () => void (await put({ clientSecret: "brand-new-secret" })));
  const { changedAt, lastCheck } = await get();
  for (const at of [changedAt, lastCheck?.at])
    expect(Math.abs(Date.parse(at ?? "") - Date.now())).toBeLessThan(60_000);
});

describe("reading the connection", () => {
  it("shows the client id and that a secret is set, and never the secret", async () => {
    const connection = await get();
    expect(connection).toMatchObject({
      partner: partner.id,
      environment: "sandbox",
      clientId: partner.clientId,
      clientSecret: { set: true },
      version: 1,
      lastCheck: null,
    });
    expect(JSON.stringify(connection)).not.toContain(partner.clientSecret);
  });

  it("says when nothing is set up", async () => {
    await disconnect();
    expect(await get()).toMatchObject({
      clientId: null,
      clientSecret: { set: false },
      version: null,
      changedAt: null,
    });
    expect((await problem(check())).code).toBe("not_connected");
  });

  it("does not exist in an environment that the operator has not configured", async () => {
    expect((await problem(readConnection(partner.id, "staging"))).code).toBe("not_found");
  });
});

describe("checking the connection", () => {
  it("says that the credentials work, who checked and when, and records it", async () => {
    const { lastCheck } = await check();
    expect(lastCheck).toMatchObject({ ok: true, code: null, by: "The admin", current: true });
    expect(await get()).toMatchObject({ lastCheck });
    const by = { actor: "The admin", address: "192.0.2.1" };
    expect(await entries("connection_checked")).toEqual([
      { ...by, outcome: "works", clientId: partner.clientId, candidate: false, problem: null },
    ]);
  });

  it("marks a check at another base address as not current", async () => {
    await check();
    moveService("https://moved.example");
    expect((await get()).lastCheck).toMatchObject({ ok: true, current: false });
  });

  const refused = (status: number, error: string): Plan => ({
    rules: [{ kind: "token", action: { answer: { status, body: JSON.stringify({ error }) } } }],
  });

  it.each([
    ["wrong secret", refused(401, "Invalid credentials"), "credentials_rejected"],
    ["a service that resets", { rules: [], connections: "reset" }, "connection_failed"],
  ] satisfies [string, Plan, string][])("reports %s", async (_name, plan, code) => {
    upstream.setPlan(plan);
    const { lastCheck } = await check();
    expect(lastCheck).toMatchObject({ ok: false, code });
    const [rule] = plan.rules;
    const answer = rule && "answer" in rule.action ? rule.action.answer : undefined;
    if (answer) {
      expect(lastCheck?.upstreamStatus).toBe(answer.status);
      expect(JSON.stringify(answer.body)).toContain(lastCheck?.upstreamText);
    }
  });

  it("calls the service despite a remembered rejection, and forgets it when the credentials work again", async () => {
    partner.setActive(false);
    expect((await problem(readWebhooks())).code).toBe("credentials_rejected");
    partner.setActive(true);
    expect((await problem(readWebhooks())).code).toBe("credentials_rejected");
    expect((await check()).lastCheck).toMatchObject({ ok: true });
    expect(await readWebhooks()).toMatchObject({ stale: false });
  });

  it("is refused when it comes too often (threat: guessing through Gancho, and a service that locks out)", async () => {
    for (let i = 0; i < 10; i++) await check();
    const refused = await problem(check());
    expect(refused.code).toBe("too_many_requests");
    expect(refused.init.retryAfter).toBeGreaterThan(0);
  });
});

describe("replacing the credentials", () => {
  it("uses the new secret from then on, and records that it was replaced, without it", async () => {
    await readWebhooks();
    setClients("brand-new-secret");
    const connection = await put({ clientSecret: "brand-new-secret" });
    expect(connection).toMatchObject({
      version: 2,
      changedBy: "The admin",
      lastCheck: { ok: true, current: true },
    });
    expect(await readWebhooks()).toMatchObject({ stale: false });
    expect(await entries("connection_changed")).toEqual([
      {
        outcome: "replaced",
        actor: "The admin",
        address: "192.0.2.1",
        clientIdBefore: partner.clientId,
        clientIdAfter: partner.clientId,
        secretReplaced: true,
        check: null,
      },
    ]);
    const everything = JSON.stringify([
      connection,
      await db().selectFrom("history").selectAll().execute(),
      await db().selectFrom("connections").selectAll().execute(),
      await db().selectFrom("connection_checks").selectAll().execute(),
    ]);
    expect(everything).not.toContain("brand-new-secret");
  });

  it("changes nothing when the new ones do not work, says why, and records the attempt", async () => {
    const refused = await problem(put({ clientSecret: "mistyped" }));
    expect(refused.code).toBe("credentials_rejected");
    expect(refused.init).toMatchObject({ applied: "no", detail: "unauthorized" });
    expect(await get()).toMatchObject({ version: 1, lastCheck: null });
    expect(await readWebhooks()).toMatchObject({ stale: false });
    expect(await entries("connection_checked")).toMatchObject([
      { outcome: "failed", candidate: true, problem: "credentials_rejected" },
    ]);
    expect(await entries("connection_changed")).toEqual([]);
  });

  it("accepts credentials that do not work yet when the person insists, and keeps saying so", async () => {
    const connection = await put({ clientSecret: "not-active-yet", saveUnchecked: true });
    expect(connection).toMatchObject({
      version: 2,
      lastCheck: { ok: false, code: "credentials_rejected", current: true },
    });
    expect(await entries("connection_changed")).toMatchObject([{ check: "credentials_rejected" }]);
    expect((await problem(readWebhooks())).code).toBe("credentials_rejected");
    setClients("not-active-yet");
    await check();
    expect(await readWebhooks()).toMatchObject({ stale: false });
  });

  it("keeps the secret where only the client id is changed", async () => {
    const other = addClient();
    others.push({ ...other, clientId: `${other.clientId}-renamed` });
    setClients();
    await put(other);
    const renamed = await put({ clientId: `${other.clientId}-renamed` });
    expect(renamed).toMatchObject({ clientId: `${other.clientId}-renamed`, version: 3 });
    expect(await entries("connection_changed")).toMatchObject([
      { secretReplaced: true },
      { secretReplaced: false, clientIdBefore: other.clientId },
    ]);
  });

  it("does nothing when nothing was changed", async () => {
    expect(await put({})).toMatchObject({ version: 1, lastCheck: null });
    expect(upstream.counts().token).toBe(0);
  });

  it("replaces nothing where the secret in use is typed again (threat: a leaked secret that counts as a new one)", async () => {
    const { clientSecret } = partner;
    expect(await put({ clientSecret })).toMatchObject({ version: 1 });
    expect(await entries("connection_changed")).toEqual([]);
    const other = addClient();
    others.push({ clientId: `${other.clientId}-renamed`, clientSecret });
    setClients();
    await put({ clientId: `${other.clientId}-renamed`, clientSecret });
    expect(await entries("connection_changed")).toMatchObject([{ secretReplaced: false }]);
  });

  it("sets up a connection where there was none", async () => {
    await disconnect();
    expect(
      await put({ clientId: partner.clientId, clientSecret: partner.clientSecret }),
    ).toMatchObject({ version: 1, clientId: partner.clientId, lastCheck: { ok: true } });
    expect(await readWebhooks()).toMatchObject({ stale: false });
    expect(await entries("connection_changed")).toMatchObject([
      { outcome: "created", clientIdBefore: null },
    ]);
  });

  it("needs a secret where there was none", async () => {
    await disconnect();
    const refused = await problem(put({ clientId: partner.clientId }));
    expect(refused.init.errors).toMatchObject([{ path: "clientSecret", code: "required" }]);
  });

  it.each(["replacing", "setting up"])(
    "lets one of two people win who are %s at once, and shows the other one the current state",
    async (doing) => {
      if (doing === "setting up") await disconnect();
      const two = [addClient(), addClient()];
      // Both forms open before either is sent.
      const { version } = await get();
      const results = await Promise.allSettled(two.map((client) => put({ ...client, version })));
      const lost = results.flatMap((result) =>
        result.status === "rejected" ? [result.reason as ProblemError] : [],
      );
      expect(lost).toHaveLength(1);
      expect(lost[0]?.code).toBe("stale_revision");
      const now = await get();
      expect(lost[0]?.init.extra).toEqual({ connection: now });
      expect(await entries("connection_changed")).toHaveLength(1);
    },
  );
});

describe("the time of the switch", () => {
  it("a read that began with the old secret goes on with the new one", async () => {
    // The service refuses this read's token, and by then the old secret too.
    await readWebhooks();
    setClients("the-next-secret");
    const answer = { status: 401, body: '{"error":"unauthorized"}' };
    plan({ kind: "list", times: 1, action: { held: true, answer } });
    const begun = readWebhooks();
    await expect.poll(() => upstream.counts().list).toBe(1);
    await put({ clientSecret: "the-next-secret" });
    upstream.release();
    expect(await begun).toMatchObject({ stale: false });
  });

  it("a read that began as the old client leaves what was learned as the new one", async () => {
    await partner.register({ url });
    await readWebhooks();
    const other = addClient();
    plan({ kind: "list", times: 1, action: { held: true } });
    const begun = readWebhooks();
    await expect.poll(() => upstream.counts().list).toBe(1);
    await put(other);
    await readWebhooks();
    upstream.release();
    await begun;
    const of = { connection_id: partner.connectionId };
    expect((await rowOf("confirmed_configurations", of)).client_id).toBe(other.clientId);
  });

  it("a save that waited for it uses the new credentials", async () => {
    const other = addClient();
    const lock = await lockConnection(partner.connectionId, 0);
    const replaced = put(other);
    await expect.poll(() => upstream.counts().token).toBe(1);
    await lock?.release();
    await replaced;
    await save({ type: "both", revision: null, authorization: keep });
    expect(await readWebhooks()).toMatchObject({ webhooks: [{ callbackUrl: url }, {}] });
    expect(await { ...partner, ...other }.registered()).toMatchObject([{ callback_url: url }, {}]);
  });

  it("is refused where it stalled until others had the lock, and ends their save if it is tried again (threat: a save that is never read back)", async () => {
    const other = addClient();
    stall.until = async () => {
      stall.until = undefined;
      await update("leases", { expires_at: 0 }, { name: `save:${partner.connectionId}` });
      plan(answering(500), listing({ status: 503 }, { from: 2 }));
      const saved = await save({ type: "both", revision: null, authorization: keep });
      expect(saved).toMatchObject({ code: "outcome_unknown" });
      plan();
    };
    const refused = await problem(put(other));
    expect(refused.code).toBe("save_in_progress");
    expect(refused.init).toMatchObject({ applied: "no", retryable: true });
    expect(await get()).toMatchObject({ clientId: partner.clientId, version: 1 });
    expect(await entries("connection_changed")).toEqual([]);
    expect((await readWebhooks()).openSaves, "the save is followed on").toHaveLength(1);

    expect(await put(other)).toMatchObject({ clientId: other.clientId, version: 2 });
    expect(await rowOf("changes", { partner_id: partner.id })).toMatchObject({ state: "closed" });
  });

  it("is refused where the person lost the admin role meanwhile (threat: a request that outlives the role)", async () => {
    const lock = await lockConnection(partner.connectionId, 0);
    setClients("the-next-secret");
    const replaced = put({ clientSecret: "the-next-secret" });
    await expect.poll(() => upstream.counts().token).toBe(1);
    await update("memberships", { role: "editor" });
    await lock?.release();
    expect((await problem(replaced)).code).toBe("forbidden");
    const { version } = await rowOf("connections", { id: partner.connectionId });
    expect(version).toBe(1);
  });

  it("does not report what the service shows another client as a change", async () => {
    await partner.register({ url });
    await readWebhooks();
    const other = addClient();
    await { ...partner, ...other }.register({ url: `${url}/other` });
    await put(other);
    const listed = await db()
      .selectFrom("partner_overviews")
      .select("pix_in_host")
      .where("partner_id", "=", partner.id)
      .execute();
    expect(listed, "nor is the partner found by what the one before was shown").toEqual([]);
    const { webhooks, recentChanges } = await readWebhooks();
    expect(webhooks).toMatchObject([{ callbackUrl: `${url}/other`, askedBy: null }, {}]);
    expect(recentChanges).toEqual([]);
  });

  it("closes a save that can no longer be looked for, and says nothing more of it", async () => {
    plan(
      { kind: "register", action: { apply: "never", cutAfter: 0, ending: "reset" } },
      { kind: "list", from: 2, action: { cutAfter: 0, ending: "reset" } },
    );
    const saved = await save({ type: "both", revision: null, authorization: keep });
    expect(saved).toMatchObject({ code: "outcome_unknown" });
    plan();
    const other = addClient();
    await put(other);
    expect(await rowOf("changes", { partner_id: partner.id })).toMatchObject({ state: "closed" });
    const { recentChanges } = await readWebhooks();
    expect(recentChanges.map(({ outcome }) => outcome)).toEqual(["unclear"]);
  });
});

it("needs more than a session to replace credentials (threat: an admin's stolen session)", async () => {
  const admin = await partner.person("admin");
  await update("users", { password_hash: "x" }, { id: admin });
  signInAs(admin, "not-stepped-up");
  const other = addClient();
  const replacing = put(other);
  expect((await problem(replacing)).code).toBe("reauthentication_required");
  expect((await get()).clientId).toBe(partner.clientId);
});
