import { db } from "@/lib/platform/database/open";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { type TestPartner } from "@/lib/webhooks/testing/world";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DELETE as endSessions } from "@/app/api/account/sessions/route";
import { GET as diagnosis } from "@/app/api/partners/[partner]/[environment]/diagnosis/route";
import { POST as save } from "@/app/api/partners/[partner]/[environment]/webhooks/route";
import { PATCH as dismiss } from "@/app/api/partners/[partner]/[environment]/proposals/[proposal]/route";
import {
  DELETE as removeMember,
  PATCH as changeMember,
} from "@/app/api/partners/[partner]/members/[member]/route";
import { POST as openView } from "@/app/api/partners/[partner]/support-view/route";
import { GET as history } from "@/app/api/partners/[partner]/history/route";
import { PATCH as rename } from "@/app/api/partners/[partner]/route";
import { POST as addStaff } from "@/app/api/staff/route";
import { inWorld, nextPartner, partner, world } from "@/lib/webhooks/testing/in-world";

process.env["GANCHO_CHANGE_LIMIT"] = "3";
inWorld({ as: null });

const origin = "http://localhost:3000";

type Handler = typeof save;

async function ask(handler: Handler, body: unknown, at: TestPartner = partner, more = {}) {
  const request = new Request(origin, {
    method: "POST",
    headers: { origin, "x-requested-by": "gancho", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const params = Promise.resolve({ partner: at.id, environment: "sandbox", ...more });
  const answer = await handler(request, { params });
  return { answer, body: (await answer.json()) as Record<string, unknown> };
}

async function statuses(times: number, once: (n: number) => ReturnType<typeof ask>) {
  const found = [];
  for (let n = 0; n < times; n++) found.push((await once(n)).answer.status);
  return found;
}

/** Of all histories. */
const entries = () => db().selectFrom("history").select("id").execute();

/** A save of a stale revision: it records two entries and sends nothing. */
const aSave = (n: number) => ({
  type: "both",
  url: `https://hooks.example.com/${n}`,
  revision: "of before",
  authorization: { action: "remove" },
});

it("refuses saves over the limit, says when to retry and that nothing was changed, and records nothing (threat: filling a history that nobody can clear)", async () => {
  signInAs(await partner.person("editor"));
  expect(await statuses(3, (n) => ask(save, aSave(n)))).toEqual([409, 409, 409]);
  const before = await entries();
  const { answer, body } = await ask(save, aSave(4));
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(body).toMatchObject({ code: "too_many_requests", applied: "no", retryable: true });
  expect(await entries()).toHaveLength(before.length);
});

/** People of this role who each save until they are stopped: four of them use up what their role shares. */
async function useUp(role: "editor" | "admin"): Promise<void> {
  for (let person = 0; person < 4; person++) {
    signInAs(await partner.person(role));
    expect(await statuses(4, (n) => ask(save, aSave(n)))).toEqual([409, 409, 409, 429]);
  }
}

it("limits each person, and all of a partner's people of one role together (threat: many accounts of one partner)", async () => {
  await useUp("editor");
  signInAs(await partner.person("editor"));
  expect((await ask(save, aSave(1))).answer.status).toBe(429);
  const other = await world.partner();
  signInAs(await other.person("editor"));
  expect((await ask(save, aSave(1), other)).answer.status).toBe(409);
});

describe("whatever a partner's people have used up (threat: accounts that freeze their partner)", () => {
  it("lets an admin undo what editors did", async () => {
    await useUp("editor");
    signInAs(await partner.person("admin"));
    expect((await ask(save, aSave(1))).answer.status).toBe(409);
  });

  it("lets an admin over their own limit take access away", async () => {
    const hostile = await partner.person("editor");
    const lowered = await partner.person("editor");
    await useUp("admin");
    const params = { member: lowered };
    const steps = [
      await ask(changeMember, { role: "viewer" }, partner, params),
      await ask(changeMember, { role: "editor" }, partner, params),
      await ask(removeMember, {}, partner, { member: hostile }),
    ];
    expect(steps.map(({ answer }) => answer.status)).toEqual([200, 429, 200]);
  });

  it("lets an operator suspend it, also one over their own limit", async () => {
    await useUp("admin");
    signInAs(await world.staff("operator"));
    expect((await ask(rename, { name: "Renamed" })).answer.status).toBe(200);
    await statuses(3, (n) => ask(rename, { name: `Name ${n}` }));
    expect((await ask(rename, { suspended: true })).answer.status).toBe(200);
    expect((await ask(rename, { suspended: false })).answer.status).toBe(429);
  });

  it("does not count a request that recorded nothing against the others", async () => {
    for (let person = 0; person < 4; person++) {
      signInAs(await partner.person("viewer"));
      const params = { proposal: randomUUID() };
      expect(await statuses(4, () => ask(dismiss, { dismissed: true }, partner, params))).toEqual([
        404, 404, 404, 429,
      ]);
    }
    signInAs(await partner.person("viewer"));
    const params = { proposal: randomUUID() };
    expect((await ask(dismiss, { dismissed: true }, partner, params)).answer.status).toBe(404);
  });

  it("lets others export the history", async () => {
    const exported = async () => {
      const params = Promise.resolve({ partner: partner.id });
      const answer = await history(new Request(`${origin}/api?format=json`), { params });
      await answer.text();
      return answer.status;
    };
    for (let person = 0; person < 4; person++) {
      signInAs(await partner.person("viewer"));
      for (let times = 0; times < 3; times++) expect(await exported()).toBe(200);
    }
    signInAs(await partner.person("viewer"));
    expect(await exported()).toBe(200);
  });
});

it("stops support from filling partners' histories with views (threat: a script with a support session)", async () => {
  signInAs(await world.staff("support"));
  const view = () => ask(openView, { reason: "ticket 48211" });
  expect(await statuses(4, view)).toEqual([201, 201, 201, 429]);
  await nextPartner();
  expect((await view()).answer.status).toBe(429);
});

it.each([
  ["exports of the history", history, "?format=json"],
  ["summaries for support", diagnosis, ""],
])("stops a script that repeats %s", async (_what, route, query) => {
  const read = async () => {
    const params = Promise.resolve({ partner: partner.id, environment: "sandbox" });
    const answer = await route(new Request(`${origin}/api${query}`), { params });
    await answer.text();
    return answer;
  };
  signInAs(await partner.person("viewer"));
  for (let times = 0; times < 3; times += 1) expect((await read()).status).toBe(200);
  const refused = await read();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  signInAs(await partner.person("viewer"));
  expect((await read()).status, "for another person").toBe(200);
});

it("counts an operator's changes of partners and of staff together", async () => {
  signInAs(await world.staff("operator"));
  const renamed = await statuses(2, (n) => ask(rename, { name: `Name ${n}` }));
  const added = await statuses(2, (n) =>
    ask(addStaff, { name: "S", email: `s${n}@${partner.id}.example`, role: "support" }),
  );
  expect([...renamed, ...added]).toEqual([200, 200, 201, 429]);
});

it("does not count requests that are refused before they do anything", async () => {
  signInAs(await partner.person("viewer"));
  expect(await statuses(5, (n) => ask(save, aSave(n)))).toEqual([403, 403, 403, 403, 403]);
  signInAs(await partner.person("editor"));
  expect(await statuses(5, () => ask(save, { type: "both" }))).toEqual([422, 422, 422, 422, 422]);
  expect((await ask(save, aSave(1))).answer.status).toBe(409);
});

it("lets people over the limit end their sessions (threat: a stolen session that uses up its owner's changes)", async () => {
  const person = await partner.person("editor");
  signInAs(person, "hash of the session");
  await statuses(4, (n) => ask(save, aSave(n)));
  expect(await statuses(5, () => ask(endSessions, { which: "others" }))).toEqual(
    Array.from({ length: 5 }, () => 200),
  );
});
