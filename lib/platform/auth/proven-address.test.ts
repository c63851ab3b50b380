import { approversOf } from "@/lib/platform/access/approvers";
import { requireStaff } from "@/lib/platform/access/require";
import { currentViewer, signedIn } from "@/lib/platform/access/viewer";
import {
  newPerson,
  openSession,
  outcomeOf,
  password,
  signInHere,
  startAccountWorld,
  type TestPerson,
} from "@/lib/account/testing/account-world";
import { endSessions, addPasskey, beginPasskey } from "@/lib/account/testing/with-access";
import { db } from "@/lib/platform/database/open";
import { peopleEntries } from "@/lib/history/testing/people-entries";
import { createStaff, renewPasswordLink } from "@/lib/staff/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deviceOwner, knownDevice, rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import { admit } from "@/lib/platform/auth/oidc/admit";
import { codeAt, stepAt, fromBase32 } from "@/lib/platform/auth/codes/totp";
import {
  beginEnrolment,
  codesSetUpAt,
  confirmEnrolment,
} from "@/lib/platform/auth/codes/one-time-codes";
import {
  choosePassword,
  issuePasswordLink,
  readPasswordLink,
  type LinkDelivery,
  makeLinkAtTerminal,
} from "@/lib/platform/auth/passwords/password-link";
import { passkeysOf } from "@/lib/platform/auth/passkeys/passkeys";
import { beginPasskeySignIn, checkPasskeySignIn } from "@/lib/platform/auth/passkeys/sign-in";
import { hasProvenAddress, readNotice } from "./proven-address";
import { findSession } from "@/lib/platform/auth/sessions/sessions";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { softwareAuthenticator } from "@/lib/platform/auth/testing/software-authenticator";

beforeAll(async () => {
  // An installation in which people can prove their address.
  Object.assign(process.env, {
    OIDC_ISSUER: "https://id.example",
    OIDC_CLIENT_ID: "gancho",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_NAME: "Example ID",
  });
  await startAccountWorld();
});
afterAll(() => db().destroy());

const caller = { requestId: "q1", clientAddress: "192.0.2.7", userAgent: null };
const origin = { requestId: "q1", clientAddress: "192.0.2.7" };
const chosen = "a river between two hills";

/** By single sign-on, with the address that the provider vouches for. */
async function arrive({ id, email }: TestPerson) {
  const identity = { issuer: "https://id.example", subject: id, verifiedEmail: email, name: null };
  const arrival = { identity, staffRole: undefined, invitation: null, origin: caller };
  expect(await admit(db(), arrival)).toMatchObject({ outcome: "signed_in", userId: id });
}

function attempt({ email }: TestPerson, typed = password) {
  return signIn(db(), { ...caller, email, password: typed }, false);
}

async function linkFor({ id }: TestPerson, way: LinkDelivery & { byId?: string }): Promise<string> {
  const link = await db()
    .transaction()
    .execute((trx) => issuePasswordLink(trx, id, way));
  return new URL(link).hash.slice(1);
}

const byHand: LinkDelivery = { proves: null, by: "Otávio" };

async function rowOf({ id }: TestPerson) {
  return db().selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

async function setUpCodes({ id }: TestPerson): Promise<void> {
  const now = Date.now();
  const secret = fromBase32((await beginEnrolment(db(), id, now)) ?? "");
  await confirmEnrolment(db(), id, codeAt(secret, stepAt(now)), now);
}

/** A link of the account's present user. */
async function plantPasskey(person: TestPerson) {
  await signInHere(person);
  await db()
    .updateTable("sessions")
    .set({ reauthenticated_at: Date.now(), passkey_at: Date.now() })
    .where("user_id", "=", person.id)
    .execute();
  const device = softwareAuthenticator();
  const { options } = await beginPasskey({}, { ...origin, device: undefined });
  await addPasskey({ name: "Phone", attestation: device.make(options) }, origin);
  return {
    signIn: async () => {
      const begun = await beginPasskeySignIn(db(), caller);
      if (begun.outcome !== "begun") throw new Error(begun.outcome);
      const { options, holder } = begun;
      const assertion = device.use(options);
      const given = { ...caller, assertion, holder, device: undefined };
      return (await checkPasskeySignIn(db(), given)).outcome;
    },
  };
}

async function prove({ id }: TestPerson): Promise<void> {
  await db()
    .updateTable("users")
    .set({ address_proven_at: 1, address_proven_by: "terminal" })
    .where("id", "=", id)
    .execute();
}

describe("the first proof of an address", () => {
  it("removes everything that was set up without it (threat: somebody who used the account before its owner)", async () => {
    const person = await newPerson();
    const session = await openSession(person.id);
    const link = await linkFor(person, byHand);
    const passkeys = [await plantPasskey(person), await plantPasskey(person)];
    await setUpCodes(person);
    const mark = rememberDevice(await deviceOwner(db(), person.id));
    await arrive(person);
    expect((await peopleEntries(db())).slice(-3)).toMatchObject([
      {
        kind: "address_proven",
        who: person.id,
        outcome: "provider",
        detail: { password: true, codes: true, passkeys: 2, sessions: 3 },
      },
      { kind: "account_linked", who: person.id },
      { kind: "signed_in", who: person.id },
    ]);
    expect(await attempt(person)).toMatchObject({ outcome: "refused" });
    expect(await findSession(db(), session)).toBeNull();
    expect(await codesSetUpAt(db(), person.id)).toBeNull();
    expect(await passkeysOf(db(), person.id)).toEqual([]);
    for (const passkey of passkeys) expect(await passkey.signIn()).toBe("refused");
    expect(await outcomeOf(choosePassword({ token: link, password: chosen }, origin))).toBe(
      "invitation_over",
    );
    expect(knownDevice(mark, await deviceOwner(db(), person.id))).toBeNull();
    expect(await rowOf(person)).toMatchObject({
      password_hash: null,
      address_proven_by: "provider",
      unread_notice: "password,codes,passkeys:2",
    });
    await signInHere(person);
    expect(await signedIn()).toMatchObject({
      notice: { password: true, codes: true, passkeys: 2 },
    });
  });

  it("takes a passkey away that was added without it, and says so (threat: the squatter's passkey)", async () => {
    const person = await newPerson({ passwordSet: false });
    await plantPasskey(person);
    await arrive(person);
    expect(await passkeysOf(db(), person.id)).toEqual([]);
    expect((await rowOf(person)).unread_notice).toBe("passkeys:1");
    // One that is added afterwards stays.
    await plantPasskey(person);
    await arrive(person);
    expect(await passkeysOf(db(), person.id)).toHaveLength(1);
  });

  it("is also reported in the words of an older version", () => {
    const nothing = { password: false, codes: false, passkeys: 0 };
    expect(readNotice("password_dropped")).toEqual({ ...nothing, password: true });
    expect(readNotice("codes_dropped")).toEqual({ ...nothing, codes: true });
    expect(readNotice(null)).toBeNull();
  });

  it("happens once: a password that came after it, or at the terminal, stays", async () => {
    const person = await newPerson();
    await prove(person);
    await arrive(person);
    await arrive(person);
    expect(await attempt(person)).toMatchObject({ outcome: "signed_in" });
    expect((await rowOf(person)).unread_notice).toBeNull();
  });

  it("can come from the terminal, with a link that takes away what was there", async () => {
    const person = await newPerson();
    await setUpCodes(person);
    const made = await makeLinkAtTerminal(db(), person.email);
    if (made.outcome !== "made") throw new Error(made.outcome);
    const token = new URL(made.link).hash.slice(1);
    expect(await readPasswordLink(token)).toMatchObject({ proves: "terminal" });
    await choosePassword({ token, password: chosen }, origin);
    expect(await attempt(person, chosen)).toMatchObject({ outcome: "signed_in" });
    expect(await rowOf(person)).toMatchObject({
      address_proven_by: "terminal",
      unread_notice: "codes",
    });
  });
});

describe("without a proven address", () => {
  it("nobody is staff (threat: an operator who chooses the password of support that they added)", async () => {
    const person = await newPerson({ staffRole: "support" });
    await signInHere(person);
    expect(await currentViewer()).toMatchObject({ staffRole: null, withheldRole: "support" });
    expect(await outcomeOf(requireStaff("support_view.open"))).toBe("not_found");
    await arrive(person);
    expect(await currentViewer()).toMatchObject({ staffRole: "support", withheldRole: null });
  });

  it("nobody is one of two people (threat: an admin's second account as the second pair of eyes)", async () => {
    const [proven, unproven] = [await newPerson(), await newPerson()];
    await prove(proven);
    await db()
      .insertInto("partners")
      .values({ id: "aurora", name: "Aurora", created_at: 1, suspended_at: null })
      .execute();
    for (const { id } of [proven, unproven])
      await db()
        .insertInto("memberships")
        .values({ partner_id: "aurora", user_id: id, role: "admin", created_at: 1 })
        .execute();
    expect((await approversOf(db(), "aurora")).map(({ id }) => id)).toEqual([proven.id]);
    await arrive(unproven);
    expect(await approversOf(db(), "aurora")).toHaveLength(2);
  });
});

describe("a link that another person hands over", () => {
  it("takes the proof back with the password (threat: an operator's link used by the operator)", async () => {
    const person = await newPerson({ staffRole: "support" });
    await prove(person);
    const operator = await newPerson({ staffRole: "operator" });
    await prove(operator);
    const token = await linkFor(person, { ...byHand, byId: operator.id });
    await choosePassword({ token, password: chosen }, origin);
    expect(hasProvenAddress(await rowOf(person))).toBe(false);
    await signInHere(person);
    expect((await currentViewer())?.staffRole).toBeNull();
    const [entry] = (await peopleEntries(db())).slice(-1);
    expect(entry).toMatchObject({ detail: { link: { proves: null, by: "Rui Prado" } } });
    await arrive(person);
    expect(await attempt(person, chosen)).toMatchObject({ outcome: "refused" });
  });

  it("is for nobody who signs in by single sign-on alone (threat: acting under the name of support that never notices)", async () => {
    const person = await newPerson({ staffRole: "support", passwordSet: false });
    const early = await linkFor(person, byHand);
    await arrive(person);
    const late = await linkFor(person, byHand);
    for (const token of [early, late])
      expect(await outcomeOf(choosePassword({ token, password: chosen }, origin))).toBe(
        "invitation_over",
      );
    expect(await readPasswordLink(late)).toMatchObject({ state: "elsewhere" });
    const operator = await newPerson({ staffRole: "operator" });
    await prove(operator);
    signInAs(operator.id);
    expect(await outcomeOf(renewPasswordLink(person.id, origin))).toBe("changed_meanwhile");
    expect(await makeLinkAtTerminal(db(), person.email)).toEqual({ outcome: "elsewhere" });
  });

  it("is not made for staff who come by single sign-on where Gancho sends no mail", async () => {
    const operator = await newPerson({ staffRole: "operator" });
    await prove(operator);
    signInAs(operator.id);
    const email = "paula@staff.example";
    const added = await createStaff({ name: "Paula", email, role: "support" }, origin);
    expect(added).toMatchObject({ link: null, mail: "off", person: { standing: "waiting" } });
    await arrive({ id: added.person.id, email });
    expect(await rowOf(added.person)).toMatchObject({ unread_notice: null });
  });
});

it.each(["others", "all"] as const)(
  "signing out everywhere (%s) makes browsers strangers (threat: the mark of a browser that was taken)",
  async (which) => {
    const person = await newPerson();
    const mark = rememberDevice(await deviceOwner(db(), person.id));
    await signInHere(person);
    await endSessions({ which }, origin);
    expect(knownDevice(mark, await deviceOwner(db(), person.id))).toBeNull();
  },
);
