import { admit, type ProviderSignIn } from "@/lib/platform/auth/oidc/admit";
import { logOutBy } from "@/lib/platform/auth/testing/log-out-by-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { askForPasswordLink, choosePassword } from "@/lib/platform/auth/passwords/password-link";
import { findSession } from "@/lib/platform/auth/sessions/sessions";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { db } from "@/lib/platform/database/open";
import { inviteMember } from "@/lib/team/testing/with-access";
import { triesAll } from "@/lib/platform/runtime/testing/thorough";
import { mail, withMail } from "@/lib/alerts/testing/outbox";
import { readMail } from "@/lib/tools/mail-server";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { inWorld, world } from "@/lib/webhooks/testing/in-world";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { acceptInvitation } from "./accept";

withMail();
inWorld({ as: null });

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
beforeAll(async () => {
  provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
});
afterAll(() => provider.stop());

const ways = [
  "invitation",
  "password link",
  "single sign-on",
  "claim",
  "ended claim",
  "logout at the provider",
  "password",
] as const;
const steps = ways.flatMap((way) => [
  { who: "attacker", way } as const,
  { who: "owner", way } as const,
]);
type Step = (typeof steps)[number];
/** Each pair, and where there is time each triple, of different steps in which both of them act. */
const orders = steps
  .flatMap((one) =>
    steps.flatMap((two) => [
      [one, two],
      ...(triesAll ? steps.map((three) => [one, two, three]) : []),
    ]),
  )
  .filter((order) => new Set(order).size === order.length)
  .filter((order) => new Set(order.map(({ who }) => who)).size === 2);

type Who = Step["who"];
const passwords: Record<Who, string> = {
  attacker: "three herons over a lake",
  owner: "a river between two hills",
};

let network = 0;

/**
 * The attacker is an admin, who may invite anybody, sees every answer, and has an account of their own at the provider.
 * Only the owner reads mail to the address.
 */
async function newStage() {
  const partner = await world.partner();
  const admin = await partner.person("admin");
  const address = `${randomUUID()}@owner.example`;
  network += 1;
  const caller = {
    requestId: "q1",
    clientAddress: `10.0.${network >> 8}.${network & 255}`,
    userAgent: null,
  };
  const sessions: Record<Who, string[]> = { attacker: [], owner: [] };
  /** What each of them has seen: answers for the attacker, mails for the owner. */
  const read: Record<Who, string[]> = { attacker: [], owner: [] };

  /** Ignores how an attempt is refused: only the resulting access counts. */
  async function attempt<Result>(work: () => Promise<Result>): Promise<Result | null> {
    return work().catch(() => null);
  }

  const tokensOf = (who: Who) => {
    const mails = mail.mails.filter(({ to }) => to.includes(address)).map(readMail);
    const texts = who === "owner" ? mails.map(({ text }) => text) : read.attacker;
    return texts.flatMap((text) => text.match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []);
  };

  const act: Record<Step["way"], (who: Who) => Promise<void>> = {
    invitation: async (who) => {
      if (who === "attacker") {
        signInAs(admin);
        const request = { email: address, role: "editor" } as const;
        const context = { ...caller, locale: "en" } as const;
        const answer = await attempt(() => inviteMember(partner.id, request, context));
        read.attacker.push(JSON.stringify(answer));
      }
      const person = { name: `A ${who}`, password: passwords[who] };
      const own = await findSession(db(), sessions[who].at(-1) ?? "");
      const signedIn = own?.userId ?? (who === "attacker" ? admin : null);
      for (const token of [...tokensOf(who), undefined])
        for (const viewer of [signedIn, null]) {
          signInAs(viewer);
          const accepting = { ...(token && { token }), ...(viewer === null && { person }) };
          await attempt(() => acceptInvitation(accepting, caller));
        }
    },
    "password link": async (who) => {
      const asked = await attempt(() => askForPasswordLink(address, caller));
      await asked?.done;
      if (who === "attacker") read.attacker.push(JSON.stringify(asked));
      for (const token of tokensOf(who))
        await attempt(() => choosePassword({ token, password: passwords[who] }, caller));
    },
    "single sign-on": (who) => throughProvider(who, undefined),
    claim: (who) => throughProvider(who, new Map([[partner.id, "admin"]])),
    "ended claim": (who) => throughProvider(who, new Map()),
    "logout at the provider": async (who) => {
      expect(await logOutBy(provider, { sub: subjectOf(who) })).toBe(200);
    },
    password: async (who) => {
      const given = { email: address, password: passwords[who], device: undefined };
      const result = await signIn(db(), { ...caller, ...given }, false);
      if (result.outcome === "signed_in") sessions[who].push(result.sessionId);
    },
  };

  function subjectOf(who: Who): string {
    return `${who} of ${address}`;
  }

  async function throughProvider(who: Who, partners: ProviderSignIn["partners"]): Promise<void> {
    // The provider's claims for the attacker have no address, or another one: that one a claim may name, as theirs.
    const addresses = who === "owner" ? [address] : [null, `thief-${address}`];
    for (const verifiedEmail of addresses) {
      const identity = {
        issuer: provider.issuer,
        subject: subjectOf(who),
        verifiedEmail,
        name: "Somebody",
      };
      const named = { staffRole: undefined, partners };
      const admitted = await admit(db(), { identity, ...named, origin: caller });
      if (admitted.outcome === "signed_in") sessions[who].push(admitted.sessionId);
    }
  }

  /** Whom the attacker's sessions and the owner's are, as far as they are open. */
  async function openTo(who: Who): Promise<Set<string>> {
    const found = await Promise.all(sessions[who].map((id) => findSession(db(), id)));
    return new Set(found.flatMap((session) => session?.userId ?? []));
  }

  return { address, act, openTo };
}

it("lets nobody but the owner of an address into its account, in any order of invitation, link, the provider's steps and password (threat: account takeover)", async () => {
  signInAt({ ...aProvider, issuer: provider.issuer, isOnlyWay: false });
  const ownersIn = new Set<string>();
  for (const order of orders) {
    mail.mails.length = 0;
    const { address, act, openTo } = await newStage();
    const name = order.map(({ who, way }) => `${who}: ${way}`).join(", ");
    for (const { who, way } of order) {
      const before = await openTo("owner");
      await act[way](who);
      if (who === "attacker")
        expect(await openTo("owner"), `${name}: is signed out`).toEqual(before);
    }
    for (const way of ["password", "single sign-on"] as const) await act[way]("attacker");
    const account = await db()
      .selectFrom("users")
      .leftJoin("identities", "identities.user_id", "users.id")
      .select(["users.name", "users.id", "subject"])
      .where("email", "=", address)
      .executeTakeFirst();
    expect(await openTo("attacker"), name).not.toContain(account?.id);
    expect(account?.name, name).not.toBe("A attacker");
    expect([undefined, null, `owner of ${address}`], name).toContain(account?.subject);
    if (!account) continue;
    // The owner is not locked out either.
    await act["single sign-on"]("owner");
    expect(await openTo("owner"), name).toContain(account.id);
    ownersIn.add(order.map(({ way }) => way).join());
  }
  expect(ownersIn.size).toBeGreaterThan(triesAll ? 10 : 1);
}, 600_000);
