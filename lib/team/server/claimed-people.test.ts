import { historyOf } from "@/lib/history/testing/people-entries";
import { admitTold } from "@/lib/platform/auth/oidc/attempt";
import { findSession } from "@/lib/platform/auth/sessions/sessions";
import { logoutClaims, sendLogout } from "@/lib/platform/auth/testing/log-out-by-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { partnerRoles, type PartnerRole } from "@/lib/platform/access/model/roles";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { cases } from "@/lib/platform/runtime/testing/thorough";
import { inviteMember } from "@/lib/team/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptInvitation } from "./invitations/accept";

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
beforeAll(async () => {
  await configure();
  provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
});
afterAll(() => provider.stop());

const who = fc.nat(2);
const partner = fc.nat(1);
const role = fc.constantFrom(...partnerRoles);
const outsiders = ["named nowhere", "named elsewhere", "not verified", "no address"] as const;

const steps = {
  /** `at`: what the claim names at each partner. */
  signIn: fc.record({ who, at: fc.tuple(fc.option(role), fc.option(role)) }),
  invite: fc.record({ who, invited: who, partner, role }),
  accept: fc.record({ who }),
  leaveProvider: fc.record({ who, everywhere: fc.boolean() }),
  repeatLogout: fc.record({}),
  outsider: fc.record({ who, how: fc.constantFrom(...outsiders) }),
};
type Given<Name extends keyof typeof steps> =
  (typeof steps)[Name] extends fc.Arbitrary<infer Value> ? Value : never;
const step = fc.oneof(
  ...(Object.keys(steps) as (keyof typeof steps)[]).map((does) => ({
    // The others need people who are in.
    weight: does === "signIn" ? 6 : 2,
    arbitrary: fc.tuple(fc.constant(does), steps[does]),
  })),
);

type Person = {
  sub: string;
  email: string;
  /** null: they have no account yet. */
  id: string | null;
  roles: Map<number, { role: PartnerRole; claimed: boolean }>;
  /** Open ones, the newest last. */
  sessions: { id: string; sid: string }[];
  ended: string[];
};
type Invited = { id: string; by: Person; to: Person; partner: number; role: PartnerRole };

const rank = (role: PartnerRole | undefined) => (role ? partnerRoles.indexOf(role) : -1);
const context = { requestId: "q1", clientAddress: null };

/** Two partners and three people of the provider, with what they may do by its word and by invitations. */
async function newStage() {
  const partnerIds = [randomUUID(), randomUUID()];
  for (const id of partnerIds) await insert("partners", { id, name: id, created_at: 1 });
  const people = Array.from({ length: 3 }, (): Person => {
    const sub = randomUUID();
    const email = `${sub}@people.example`;
    return { sub, email, id: null, roles: new Map(), sessions: [], ended: [] };
  });
  let open: Invited[] = [];
  let lastLogout: string | null = null;

  const of = (index: number) => people[index] as Person;
  const idOf = (index: number) => partnerIds[index] ?? "";
  const endSessions = (person: Person, isOver: (sid: string) => boolean = () => true) => {
    person.ended.push(...person.sessions.filter(({ sid }) => isOver(sid)).map(({ id }) => id));
    person.sessions = person.sessions.filter(({ sid }) => !isOver(sid));
  };

  async function admitted(claims: Parameters<typeof admitTold>[1]["claims"]) {
    const { oidc } = env();
    if (!oidc) throw new Error("there is a provider");
    const origin = { ...context, userAgent: null };
    const result = await admitTold(oidc, { claims, leave: null }, origin);
    return result?.outcome === "signed_in" ? result : null;
  }

  const act: { [Name in keyof typeof steps]: (given: Given<Name>) => Promise<void> } = {
    async signIn({ who, at }) {
      const person = of(who);
      const groups = at.flatMap((role, index) => (role ? [`pix-${idOf(index)}-${role}`] : []));
      const sid = randomUUID();
      const { sub, email } = person;
      const session = await admitted({ sub, sid, email, email_verified: true, groups });
      const isExpected = person.id ?? groups[0] ?? open.find(({ to }) => to === person);
      expect(session !== null, "is let in").toBe(isExpected !== undefined);
      if (session === null) return;
      person.id = session.userId;
      let fell = false;
      for (const [index, role] of at.entries()) {
        const before = person.roles.get(index);
        if (role !== null) person.roles.set(index, { role, claimed: true });
        else if (before?.claimed) person.roles.delete(index);
        const after = person.roles.get(index);
        if (rank(after?.role) < rank(before?.role)) fell = true;
        if (before?.role === "admin" && after?.role !== "admin")
          open = open.filter(({ by, partner }) => by !== person || partner !== index);
      }
      if (fell) endSessions(person);
      person.sessions.push({ id: session.sessionId, sid });
    },
    async invite({ who, invited, partner, role }) {
      const [person, to] = [of(who), of(invited)];
      signInAs(person.sessions.length > 0 ? person.id : null, "", "single_sign_on");
      const request = { email: to.email, role };
      const made = await inviteMember(idOf(partner), request, { ...context, locale: "en" }).catch(
        () => null,
      );
      const isAdmin = person.sessions.length > 0 && person.roles.get(partner)?.role === "admin";
      expect(made !== null, "may invite").toBe(isAdmin && !to.roles.has(partner));
      if (made === null) return;
      open = open.filter((one) => one.to !== to || one.partner !== partner);
      open.push({ id: made.invitation.id, by: person, to, partner, role });
    },
    async accept({ who }) {
      const person = of(who);
      if (person.sessions.length === 0) return;
      const own = open.findLast(({ to }) => to === person);
      signInAs(person.id, "", "single_sign_on");
      const accepted = await acceptInvitation({ ...(own && { id: own.id }) }, context).catch(
        () => null,
      );
      expect(accepted !== null, "has an invitation").toBe(own !== undefined);
      if (!own) return;
      open = open.filter((one) => one !== own);
      if (!person.roles.has(own.partner))
        person.roles.set(own.partner, { role: own.role, claimed: false });
    },
    async leaveProvider({ who, everywhere }) {
      const person = of(who);
      const sid = person.sessions.at(-1)?.sid ?? "unknown";
      const left = everywhere ? { sub: person.sub } : { sid };
      lastLogout = await provider.signed(logoutClaims(provider, left));
      expect(await sendLogout(lastLogout)).toBe(200);
      endSessions(person, (one) => everywhere || one === sid);
    },
    async repeatLogout() {
      if (lastLogout !== null) expect(await sendLogout(lastLogout)).toBe(400);
    },
    async outsider({ who, how }) {
      const own = { email: `${randomUUID()}@outside.example`, email_verified: true };
      const groups = partnerIds.map((id) => `pix-${id}-admin`);
      const claims = {
        "named nowhere": { ...own, groups: ["pix-admin", "admin"] },
        "named elsewhere": { ...own, groups: [`pix-${randomUUID()}-admin`] },
        "not verified": { email: of(who).email, email_verified: false, groups },
        "no address": { groups },
      }[how];
      expect(await admitted({ sub: randomUUID(), ...claims }), "an outsider").toBeNull();
    },
  };

  /** What holds after each step. */
  async function check(): Promise<void> {
    for (const person of people) {
      for (const { id } of person.sessions)
        expect((await findSession(db(), id))?.userId, "goes on").toBe(person.id);
      for (const id of person.ended) expect(await findSession(db(), id), "is over").toBeNull();
    }
    for (const [index, id] of partnerIds.entries()) {
      const expected = people.flatMap(({ id, roles }) => {
        const own = roles.get(index);
        return own && id !== null ? [[id, own.role, Number(own.claimed)]] : [];
      });
      const rows = await db()
        .selectFrom("memberships")
        .select(["user_id", "role", "managed"])
        .where("partner_id", "=", id)
        .execute();
      const members = rows.map(({ user_id, role, managed }) => [user_id, role, managed]);
      expect(members.sort(), "belongs there").toEqual(expected.sort());
    }
  }

  /** The memberships that the history tells of, each by what came last. */
  async function checkHistory(): Promise<void> {
    for (const [index, id] of partnerIds.entries()) {
      const told = new Map<unknown, unknown>();
      for (const { kind, detail } of await historyOf(id)) {
        if (kind === "membership_claimed") {
          expect(detail["before"], "the entry before").toBe(told.get(detail["userId"]) ?? null);
          told.set(detail["userId"], detail["after"]);
        }
        if (kind === "invitation_accepted" && !told.get(detail["userId"]))
          told.set(detail["userId"], detail["role"]);
      }
      for (const person of people)
        if (person.id !== null)
          expect(told.get(person.id) ?? null).toBe(person.roles.get(index)?.role ?? null);
    }
  }

  return { act, check, checkHistory };
}

it("gives people what the provider's claims and invitations say, and nobody anything else, in any order of sign-ins, invitations and logouts (threats: access that outlives its reason, a way back in, an outsider)", async () => {
  signInAt({ ...aProvider, issuer: provider.issuer, isOnlyWay: false });
  const sequence = fc.array(step, { minLength: 8, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(sequence, async (sequence) => {
      const { act, check, checkHistory } = await newStage();
      for (const [does, given] of sequence) {
        await act[does](given as never);
        await check();
      }
      await checkHistory();
    }),
    cases(80),
  );
});
