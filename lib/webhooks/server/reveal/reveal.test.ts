import { historyOf } from "@/lib/history/testing/people-entries";
import { deviceOwner, rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import { findSession, startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { recordHistory } from "@/lib/history/server/record/record";
import { take } from "@/lib/platform/limits/limits";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { hash } from "@node-rs/argon2";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { thrownProblem as problem } from "@/lib/platform/http/testing/thrown-problem";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import type { RevealRequest } from "@/lib/webhooks/model/revealed";
import { readWithChanges, revealAuthorization } from "@/lib/webhooks/testing/with-access";
import { update } from "@/lib/platform/database/testing/rows";
import { insertMember } from "@/lib/webhooks/testing/rows";
import { sessionInTest, signInAs } from "@/lib/webhooks/testing/signed-in";
import { type TestPartner } from "@/lib/webhooks/testing/world";
import { history, inWorld, nextPartner, partner, world } from "@/lib/webhooks/testing/in-world";

vi.mock("next/headers", () => ({ cookies: async () => new Map() }));
// The real one, which some tests make fail.
vi.mock(import("@/lib/history/server/record/record"), async (original) => {
  const real = await original();
  return { ...real, recordHistory: vi.fn(real.recordHistory) };
});
// Passwords are hashed cheaply, and stay so.
vi.mock(import("@/lib/platform/auth/passwords/password-hash"), async (original) => ({
  ...(await original()),
  needsRehash: () => false,
}));

const password = "velho moinho azul";
const canary = "Bearer canary-4f1d-not-a-secret";
const other = "Bearer other-value";
const url = "https://hooks.example.com/pix";
const minute = 60_000;
const start = 1_800_000_000_000;

let admin: string;
let cheapHash: string;

inWorld({ as: null });
beforeAll(async () => {
  cheapHash = await hash(password, { memoryCost: 1_024, timeCost: 1, parallelism: 1 });
});
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  admin = await partner.person("admin");
  await setPassword(admin, cheapHash);
  await signIn(admin);
  await register("pix_in", canary);
  await register("pix_out", other);
});

async function setPassword(id: string, password_hash: string | null) {
  await db().updateTable("users").set({ password_hash }).where("id", "=", id).execute();
}

/** Starts a session for this person, and uses it from now on. Returns a function that comes back to it. */
async function signIn(userId: string): Promise<() => void> {
  const id = await startSession(db(), userId, { clientAddress: null, userAgent: null });
  const idHash = (await findSession(db(), id))?.idHash ?? "";
  signInAs(userId, idHash);
  return () => signInAs(userId, idHash);
}

function register(type: "pix_in" | "pix_out", authorization?: string) {
  return partner.register({
    url,
    type,
    ...(authorization && { authorization }),
  });
}

type Options = { type?: string; environment?: string; of?: TestPartner; now?: number };

function reveal(
  request: RevealRequest = { password },
  { type = "pix_in", environment = "sandbox", of = partner, now = start }: Options = {},
) {
  const params = { partner: of.id, environment, type };
  const origin = { requestId: randomUUID(), clientAddress: `2001:db8::${of.id.slice(2, 6)}` };
  return revealAuthorization(params, request, origin, now);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await problem(promise)).code;
}

async function outcomes(of = partner) {
  const entries = await historyOf(of.id, "authorization_reveal");
  return entries.map(({ outcome }) => outcome);
}

describe("a reveal", () => {
  it("shows an admin who gives the password what the service holds now, type by type", async () => {
    expect(await reveal()).toMatchObject({ type: "pix_in", authorization: canary, absence: null });
    expect(await reveal({ password }, { type: "pix_out" })).toMatchObject({ authorization: other });
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
    signInAs(null);
    const stranger = await partner.person("admin");
    await setPassword(stranger, cheapHash);
    await signIn(stranger);
    expect(await reveal()).toMatchObject({ authorization: null, absence: "not_registered" });
    expect(await outcomes()).toEqual(["not_registered"]);
  });

  it("picks none of two values that the service shows under its two names", async () => {
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

  it("shows nothing when it cannot be recorded (threat: reading unseen)", async () => {
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

  it("records that the service did not answer, shows nothing and costs no turn", async () => {
    partner.setActive(false);
    partnerApi().forget(partner.connectionId);
    for (let n = 0; n < 11; n += 1) expect(await codeOf(reveal())).toBe("credentials_rejected");
    expect(await history("authorization_reveal")).toMatchObject(
      Array.from({ length: 11 }, () => ({
        outcome: "not_read",
        detail_json: JSON.stringify({ fingerprint: null, problem: "credentials_rejected" }),
      })),
    );
  });
});

describe("permission is refused to", () => {
  it.each(["viewer", "editor"] as const)("a %s, with their own password", async (role) => {
    const person = await partner.person(role);
    await setPassword(person, cheapHash);
    await signIn(person);
    expect(await codeOf(reveal())).toBe("forbidden");
    expect(await history("authorization_reveal")).toEqual([]);
  });

  it("an admin no more, by the time the service answers (threat: an account that is being shut)", async () => {
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
    // It did not count.
    const one = { key: `reveals by ${admin}`, most: 1, seconds: 3_600 };
    expect(await take(db(), [one], start)).toBeNull();
  });

  it.each(["both", "pix_in,pix_out", "PIX_IN", "__proto__", ""])(
    "anybody, for what is no type or environment: %j",
    async (name) => {
      expect(await codeOf(reveal({ password }, { type: name }))).toBe("not_found");
      expect(await codeOf(reveal({ password }, { environment: name }))).toBe("not_found");
    },
  );
});

describe("the password", () => {
  it("is required again: a session alone opens nothing (threat: a stolen session)", async () => {
    const list = vi.spyOn(partnerApi(), "list");
    expect(await codeOf(reveal({}))).toBe("reauthentication_required");
    expect(list).not.toHaveBeenCalled();
    expect(await history("authorization_reveal")).toEqual([]);
  });

  it("counts for five minutes and no longer (threat: a session left alone afterwards)", async () => {
    await reveal();
    expect(await reveal({}, { now: start + 5 * minute - 1 })).toMatchObject({ absence: null });
    expect(await codeOf(reveal({}, { now: start + 5 * minute }))).toBe("reauthentication_required");
    const setBack = reveal({}, { now: start - 60 * minute });
    expect(await codeOf(setBack)).toBe("reauthentication_required");
  });

  it("counts in its session only (threat: the person's other, stolen session)", async () => {
    const comeBack = await signIn(admin);
    await reveal();
    await signIn(admin);
    expect(await codeOf(reveal({}))).toBe("reauthentication_required");
    comeBack();
    expect(await reveal({})).toMatchObject({ authorization: canary });
  });

  it("is not that of another admin, and a session that ended meanwhile keeps nothing", async () => {
    const colleague = await partner.person("admin");
    await setPassword(colleague, await hash("outra senha bem longa", { memoryCost: 1_024 }));
    expect(await codeOf(reveal({ password: "outra senha bem longa" }))).toBe("invalid_fields");
    const session = await sessionInTest();
    await update("sessions", { revoked_at: start }, { id_hash: session?.idHash ?? "" });
    expect(await codeOf(reveal())).toBe("reauthentication_required");
  });

  it("when wrong shows nothing, is recorded, and is slowed down as at the sign-in (threat: guessing it from a stolen session)", async () => {
    const first = await problem(reveal({ password: "not the password" }));
    expect(first).toMatchObject({
      code: "invalid_fields",
      init: { errors: [{ path: "password", code: "wrong_password" }] },
    });
    for (let n = 0; n < 4; n += 1) await problem(reveal({ password: "not the password" }));
    const sixth = await problem(reveal());
    expect(sixth.code).toBe("too_many_requests");
    expect(sixth.init.retryAfter).toBeGreaterThan(0);
    expect(await outcomes()).toEqual(Array.from({ length: 5 }, () => "wrong_password"));
  });

  it("from a browser that the person is known in is not held up by strangers' guesses", async () => {
    for (let n = 0; n < 5; n += 1) await problem(reveal({ password: "not the password" }));
    expect(await codeOf(reveal())).toBe("too_many_requests");
    const device = rememberDevice(await deviceOwner(db(), admin));
    const params = { partner: partner.id, environment: "sandbox", type: "pix_in" };
    const origin = { requestId: "r", clientAddress: null, device };
    const shown = await revealAuthorization(params, { password }, origin, start);
    expect(shown.authorization).toBe(canary);
  });

  it("cannot be given by a person with single sign-on alone, who is told so", async () => {
    await setPassword(admin, null);
    expect(await codeOf(reveal({ password: "anything" }))).toBe("no_password");
    expect(await codeOf(reveal({}))).toBe("reauthentication_required");
  });
});

describe("at most ten an hour", () => {
  it("the eleventh is refused with the time to come back (threat: collecting values)", async () => {
    await reveal();
    for (let n = 1; n < 10; n += 1) await reveal({}, { now: start + n * 1_000 });
    const eleventh = await problem(reveal({}, { now: start + minute }));
    expect(eleventh).toMatchObject({ code: "reveal_limit", init: { retryAfter: 59 * 60 } });
    expect(await outcomes()).toEqual([...Array.from({ length: 10 }, () => "revealed"), "limited"]);
    const last = await problem(reveal({ password }, { now: start + 60 * minute - 1 }));
    expect(last.init.retryAfter).toBe(1);
    await reveal({}, { now: start + 60 * minute });
  });

  it("counts many at once, and all partners together", async () => {
    const second = await world.partner();
    await insertMember(db(), second.id, admin, "admin");
    await second.register({ url, authorization: other });
    await reveal();
    const all = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) => reveal({}, { of: n % 2 ? second : partner })),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
    const refused = all.flatMap((end) =>
      end.status === "rejected" ? [end.reason as unknown] : [],
    );
    expect(refused.every((e) => e instanceof ProblemError && e.code === "reveal_limit")).toBe(true);
  });

  it("writes one entry for the refusals of an hour that follow one another (threat: filling the history)", async () => {
    await reveal();
    for (let n = 1; n < 10; n += 1) await reveal({});
    const shown = Array.from({ length: 10 }, () => "revealed");
    const flood = () => Promise.allSettled(Array.from({ length: 8 }, () => reveal({})));
    await flood();
    expect(await outcomes()).toEqual([...shown, "limited"]);
    await problem(reveal({ password: "not the password" }));
    await flood();
    const both = [...shown, "limited", "wrong_password", "limited"];
    expect(await outcomes()).toEqual(both);
    const later = Date.now() + 60 * minute;
    vi.spyOn(Date, "now").mockReturnValue(later);
    await flood();
    expect(await outcomes()).toEqual([...both, "limited"]);
  });

  it("counts for each person", async () => {
    await reveal();
    for (let n = 1; n < 10; n += 1) await reveal({});
    const colleague = await partner.person("admin");
    await setPassword(colleague, cheapHash);
    await signIn(colleague);
    expect(await reveal()).toMatchObject({ authorization: canary });
  });
});
