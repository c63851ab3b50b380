import { givePasskey } from "@/lib/account/testing/account-world";
import { sessionInTest, signInAs } from "@/lib/webhooks/testing/signed-in";
import { historyOf } from "@/lib/history/testing/people-entries";
import { findSession, startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { recordHistory } from "@/lib/history/server/record/record";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { codeOf, thrownProblem as problem } from "@/lib/platform/http/testing/thrown-problem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { readWithChanges, revealAuthorization } from "@/lib/webhooks/testing/with-access";
import { update } from "@/lib/platform/database/testing/rows";
import { insertMember } from "@/lib/webhooks/testing/rows";
import { type TestPartner } from "@/lib/webhooks/testing/world";
import {
  history,
  inWorld,
  nextPartner,
  partner,
  replace,
  save,
  world,
} from "@/lib/webhooks/testing/in-world";

vi.mock("next/headers", () => ({ cookies: async () => new Map() }));
vi.mock("@/lib/history/server/record/record", { spy: true });

const canary = "Bearer canary-4f1d-not-a-secret";
const other = "Bearer other-value";
const url = "https://hooks.example.com/pix";
const minute = 60_000;
const start = 1_800_000_000_000;

let admin: string;

inWorld({ as: null });
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  admin = await partner.person("admin");
  await signIn(admin);
  await register("pix_in", canary);
  await register("pix_out", other);
});

/** Starts a session in which this person proved their identity at `start`, and uses it from now on. */
async function signIn(userId: string): Promise<void> {
  const id = await startSession(db(), userId, { clientAddress: null, userAgent: null });
  const idHash = (await findSession(db(), id))?.idHash ?? "";
  await update("sessions", { reauthenticated_at: start }, { id_hash: idHash });
  signInAs(userId, idHash);
}

async function proveAt(at: number | null): Promise<void> {
  const session = await sessionInTest();
  await update("sessions", { reauthenticated_at: at }, { id_hash: session?.idHash ?? "" });
}

const register = (type: "pix_in" | "pix_out", authorization?: string) =>
  partner.register({ url, type, ...(authorization && { authorization }) });

type Options = { type?: string; environment?: string; of?: TestPartner; now?: number };

function reveal({
  type = "pix_in",
  environment = "sandbox",
  of = partner,
  now = start,
}: Options = {}) {
  const origin = { requestId: randomUUID(), clientAddress: `2001:db8::${of.id.slice(2, 6)}` };
  return revealAuthorization({ partner: of.id, environment, type }, origin, now);
}

async function outcomes() {
  const entries = await historyOf(partner.id, "authorization_reveal");
  return entries.map(({ outcome }) => outcome);
}

describe("a reveal", () => {
  it("shows an admin what the service holds now, type by type", async () => {
    expect(await reveal()).toMatchObject({ type: "pix_in", authorization: canary, absence: null });
    expect(await reveal({ type: "pix_out" })).toMatchObject({ authorization: other });
    await register("pix_in", "Bearer newer");
    const { revision, fingerprint, authorization } = await reveal();
    const configuration = await readWithChanges(partner.id, "sandbox", { requestId: "r" });
    expect(authorization).toBe("Bearer newer");
    expect(revision).toBe(configuration.revision);
    expect(fingerprint).toBe(configuration.webhooks[0]?.authorization.fingerprint);
  });

  it("says why there is no value", async () => {
    await register("pix_in");
    expect(await reveal()).toMatchObject({ authorization: null, absence: "not_set" });
    await nextPartner();
    await signIn(await partner.person("admin"));
    expect(await reveal()).toMatchObject({ authorization: null, absence: "not_registered" });
    expect(await outcomes()).toEqual(["not_registered"]);
  });

  it("takes a value with asterisks in it that was sent from here for no placeholder", async () => {
    const own = "Basic q7**w!Zk39-xyz";
    await save({ url, authorization: replace(own) });
    expect(await reveal()).toMatchObject({ authorization: own, absence: null });
    await register("pix_in", "Basic ****");
    expect(await reveal()).toMatchObject({ authorization: null, absence: "not_shown" });
  });

  it("picks neither of two values that the service shows under its two names", async () => {
    const item = { type: "pix_in", callbackUrl: url, authorization: null, events: null };
    vi.spyOn(partnerApi(), "list").mockResolvedValueOnce({
      ok: true,
      webhooks: [{ ...item, authorizationConflict: true }],
      unclear: false,
    });
    expect(await reveal()).toMatchObject({
      authorization: null,
      absence: "conflicting_values",
      fingerprint: null,
    });
  });

  it("is in the partner's history: who, when, which type, from where, and not the value", async () => {
    await reveal();
    expect(await history("authorization_reveal")).toMatchObject([
      {
        actor_id: admin,
        actor_name: "The admin",
        types: "pix_in",
        environment: "sandbox",
        outcome: "revealed",
        client_address: `2001:db8::${partner.id.slice(2, 6)}`,
      },
    ]);
    signInAs(await partner.person("viewer"));
    const { recentChanges } = await readWithChanges(partner.id, "sandbox", { requestId: "r" });
    expect(recentChanges).toMatchObject([
      {
        kind: "authorization_reveal",
        types: ["pix_in"],
        actor: { name: "The admin" },
        outcome: "revealed",
        fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
      },
    ]);
  });

  it("shows nothing when it cannot be recorded (threat: reading unnoticed)", async () => {
    vi.mocked(recordHistory).mockRejectedValueOnce(new Error("disk full"));
    await expect(reveal()).rejects.toThrow("disk full");
    expect(await history("authorization_reveal")).toEqual([]);
  });

  it("leaves no copy in the database or beside it (threat: a stolen backup)", async () => {
    await reveal();
    const kept: unknown[] = [];
    for (const { name } of await db().introspection.getTables())
      kept.push((await sql`select * from ${sql.table(name)}`.execute(db())).rows);
    expect(JSON.stringify(kept)).toContain(partner.id);
    const folder = process.env["GANCHO_DATA_DIR"] ?? "";
    for (const name of readdirSync(folder)) kept.push(readFileSync(`${folder}/${name}`, "latin1"));
    expect(JSON.stringify(kept)).not.toContain("canary");
  });

  it("records that the service did not answer, and shows nothing", async () => {
    partner.setActive(false);
    partnerApi().forget(partner.connectionId);
    expect(await codeOf(reveal())).toBe("credentials_rejected");
    const detail_json = JSON.stringify({ fingerprint: null, problem: "credentials_rejected" });
    expect(await history("authorization_reveal")).toMatchObject([
      { outcome: "not_read", detail_json },
    ]);
  });
});

describe("permission is refused to", () => {
  it("a former admin, by the time the service answers (threat: an account that is being closed)", async () => {
    const list = partnerApi().list.bind(partnerApi());
    vi.spyOn(partnerApi(), "list").mockImplementation(async (...args) => {
      const answer = await list(...args);
      await update("memberships", { role: "editor" }, { user_id: admin });
      return answer;
    });
    expect(await codeOf(reveal())).toBe("forbidden");
    expect(await history("authorization_reveal")).toMatchObject([
      { actor_id: admin, outcome: "not_allowed" },
    ]);
  });

  it.each(["both", "pix_in,pix_out", "PIX_IN", "__proto__", ""])(
    "anybody, for what is no type or environment: %j",
    async (name) => {
      expect(await codeOf(reveal({ type: name }))).toBe("not_found");
      expect(await codeOf(reveal({ environment: name }))).toBe("not_found");
    },
  );
});

describe("a step-up", () => {
  it("is required: a session alone reveals nothing (threat: a stolen session)", async () => {
    await proveAt(null);
    const list = vi.spyOn(partnerApi(), "list");
    expect(await codeOf(reveal())).toBe("reauthentication_required");
    expect(list).not.toHaveBeenCalled();
    expect(await history("authorization_reveal")).toEqual([]);
  });

  it("counts for five minutes and no longer (threat: a session left alone afterwards)", async () => {
    expect(await reveal({ now: start + 5 * minute - 1 })).toMatchObject({ absence: null });
    expect(await codeOf(reveal({ now: start + 5 * minute }))).toBe("reauthentication_required");
    expect(await codeOf(reveal({ now: start - 60 * minute }))).toBe("reauthentication_required");
  });

  it("takes the passkey of a person who has one (threat: a stolen session and password)", async () => {
    const confirm = await givePasskey(admin);
    const revealNow = () => reveal({ now: Date.now() });
    expect(await codeOf(revealNow())).toBe("reauthentication_required");
    await confirm();
    expect(await revealNow()).toMatchObject({ authorization: canary });
  });
});

describe("at most ten an hour", () => {
  it("refuses the eleventh, with the time to try again (threat: collecting values)", async () => {
    for (let n = 0; n < 10; n += 1) await reveal({ now: start + n * 1_000 });
    const eleventh = await problem(reveal({ now: start + minute }));
    expect(eleventh).toMatchObject({ code: "reveal_limit", init: { retryAfter: 59 * 60 } });
    expect(await outcomes()).toEqual(Array.from({ length: 10 }, () => "revealed"));
    await signIn(await partner.person("admin"));
    expect(await reveal()).toMatchObject({ authorization: canary });
    await signIn(admin);
    await proveAt(start + 59 * minute);
    const last = await problem(reveal({ now: start + 60 * minute - 1 }));
    expect(last.init.retryAfter).toBe(1);
    await reveal({ now: start + 60 * minute });
  });

  it("counts concurrent reveals, and all partners together", async () => {
    const second = await world.partner();
    await insertMember(db(), second.id, admin, "admin");
    await second.register({ url, authorization: other });
    const all = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) => reveal({ of: n % 2 ? second : partner })),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    const refused = all.flatMap((end) =>
      end.status === "rejected" ? [end.reason as unknown] : [],
    );
    expect(refused.every((e) => e instanceof ProblemError && e.code === "reveal_limit")).toBe(true);
  });
});
