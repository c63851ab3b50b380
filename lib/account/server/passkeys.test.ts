import { configure } from "@/lib/platform/database/testing/configure";
import { update } from "@/lib/platform/database/testing/rows";
import { requireSettingUp, requireStaff, requireUser } from "@/lib/platform/access/require";
import { requiredSecondFactor, type Viewer } from "@/lib/platform/access/viewer";
import { admit } from "@/lib/platform/auth/oidc/admit";
import { beginPasskeySignIn, checkPasskeySignIn } from "@/lib/platform/auth/passkeys/sign-in";
import { resetPasskeys, unlinkAccount } from "@/lib/platform/auth/reset-at-terminal";
import { challengeLifeMs, relyingPartyAt } from "@/lib/platform/auth/passkeys/webauthn";
import { deviceOwner, knownDevice, rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import { findSession, whySessionEnded } from "@/lib/platform/auth/sessions/sessions";
import { consume } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { authenticatorApp } from "@/lib/platform/auth/testing/authenticator-app";
import {
  softwareAuthenticator,
  type SoftwareAuthenticator,
  type Twist,
} from "@/lib/platform/auth/testing/software-authenticator";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { take } from "@/lib/platform/limits/limits";
import { mail, withMail } from "@/lib/alerts/testing/outbox";
import { sendAll } from "@/lib/alerts/testing/send-all";
import { peopleEntries } from "@/lib/history/testing/people-entries";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addPasskey as storeNewPasskey } from "@/lib/account/server/passkeys";
import {
  addPasskey,
  beginCodes,
  beginPasskey,
  confirmCodes,
  removePasskey,
  readAccount,
  beginStepUp,
  confirmStepUp,
  requireAnyStepUp,
} from "@/lib/account/testing/with-access";
import {
  newPerson,
  openSession,
  origin,
  outcomeOf,
  password,
  signInHere,
  type TestPerson,
} from "@/lib/account/testing/account-world";

withMail();
beforeAll(() => configure());
afterEach(() => vi.restoreAllMocks());

const caller = { requestId: "q1", clientAddress: "192.0.2.7", userAgent: null };
let person: TestPerson;
let device: SoftwareAuthenticator;
beforeEach(async () => {
  person = await newPerson();
  device = softwareAuthenticator();
  await signInHere(person);
});

const provePassword = () => confirmStepUp({ password }, origin);

type Options = Awaited<ReturnType<typeof beginPasskey>>["options"];

const finish = (options: Options, authenticator = device, twist: Twist = {}, name = "Phone") =>
  addPasskey({ name, attestation: authenticator.make(options, twist) }, origin);

async function add(authenticator = device, twist: Twist = {}, name = "Phone") {
  const { options } = await beginPasskey({}, origin);
  await finish(options, authenticator, twist, name);
}

async function withPasskey() {
  await provePassword();
  await add();
}

async function toProve() {
  const { passkey } = await beginStepUp();
  if (!passkey) throw new Error("no passkey");
  return passkey;
}

/** Confirms the person's identity with a passkey. */
async function prove(authenticator = device) {
  await confirmStepUp({ passkey: authenticator.use(await toProve()) }, origin);
}

async function removeFirst() {
  const { passkeys } = await readAccount();
  await removePasskey(passkeys[0]?.id ?? "", origin);
}

async function begin() {
  const begun = await beginPasskeySignIn(db(), caller);
  if (begun.outcome !== "begun") throw new Error(begun.outcome);
  return begun;
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** What the browser that began the sign-in sends next. */
const signedWith = ({ options, boundTo }: Begun, authenticator = device, twist: Twist = {}) => ({
  ...caller,
  assertion: authenticator.use(options, twist),
  boundTo,
  device: undefined,
});

async function signIn(authenticator = device, twist: Twist = {}) {
  const request = signedWith(await begin(), authenticator, twist);
  return (await checkPasskeySignIn(db(), request)).outcome;
}

const lastEntry = async () => (await peopleEntries(db())).at(-1);

describe("a passkey", () => {
  it("signs its person in, in a new session, and the history records how", async () => {
    await withPasskey();
    const begun = await begin();
    expect(begun.options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(begun.options.allowCredentials).toBeUndefined();
    const result = await checkPasskeySignIn(db(), signedWith(begun));
    if (result.outcome !== "signed_in") throw new Error(result.outcome);
    expect(await findSession(db(), result.sessionId)).toMatchObject({
      userId: person.id,
      signedInBy: "passkey",
      steppedUpAt: null,
    });
    expect(await lastEntry()).toMatchObject({
      kind: "signed_in",
      who: person.id,
      detail: { by: "passkey", code: null },
    });
    const { passkeys } = await readAccount();
    expect(passkeys).toMatchObject([{ name: "Phone", lastUsedAt: expect.any(String) }]);
  });

  it("is added after a step-up only, and its person's history records it (threat: a stolen session)", async () => {
    expect(await outcomeOf(beginPasskey({}, origin))).toBe("reauthentication_required");
    await withPasskey();
    expect(await lastEntry()).toMatchObject({
      kind: "passkey_added",
      who: person.id,
      detail: { name: "Phone" },
    });
    const { activity } = await readAccount();
    expect(activity[0]).toMatchObject({ kind: "passkey_added" });
  });

  it("is added by a person who only has single sign-on right after signing in, not later, and then is their step-up (threat: a stolen session)", async () => {
    const sso = await newPerson({ passwordSet: false });
    await signInHere(sso, "single_sign_on");
    expect(await outcomeOf(beginPasskey({}, origin))).toBe("fresh_sign_in_required");
    await signInHere(sso, "single_sign_on", Date.now());
    await add();
    expect(await signIn()).toBe("signed_in");
    await signInHere(sso, "single_sign_on");
    expect(await beginStepUp()).toMatchObject({ password: false });
    expect(await outcomeOf(prove())).toBe("done");
    expect(await outcomeOf(requireAnyStepUp())).toBe("done");
  });

  it("is asked for before an action that needs a step-up, of whoever has one", async () => {
    const needed = async () => (await beginStepUp()).needed;
    await signInHere(person);
    expect(await needed()).toBe("any");
    await withPasskey();
    expect(await needed()).toBeNull();
    await signInHere(person);
    await provePassword();
    expect(await needed()).toBe("passkey");
    await prove();
    expect(await needed()).toBeNull();
  });

  it("belongs to one person, and one person has ten at most", async () => {
    await withPasskey();
    const { options } = await beginPasskey({}, origin);
    expect(options.excludeCredentials).toMatchObject([{ id: device.id }]);
    expect(await outcomeOf(finish(options))).toBe("passkey_taken");
    for (let n = 1; n < 10; n++) await add(softwareAuthenticator());
    expect(await outcomeOf(beginPasskey({}, origin))).toBe("too_many_passkeys");
  });

  it("is removed after a step-up, and signs nobody in any more", async () => {
    await withPasskey();
    await removeFirst();
    expect(await lastEntry()).toMatchObject({ kind: "passkey_removed", detail: { name: "" } });
    expect(await signIn()).toBe("refused");
    expect(await lastEntry()).toMatchObject({ outcome: "unknown_passkey", who: null });
  });

  it("once there, is required to add and remove others and to set up codes: the password is not enough (threat: a phished password)", async () => {
    const code = authenticatorApp((await beginCodes({ password }, origin)).secret)();
    await withPasskey();
    await signInHere(person);
    await provePassword();
    const begin = () => beginCodes({ password }, origin);
    const each = [
      () => beginPasskey({}, origin),
      () => confirmCodes({ code }, origin),
      removeFirst,
    ];
    for (const act of [begin, ...each])
      expect(await outcomeOf(act())).toBe("reauthentication_required");
    await prove();
    for (const act of each) expect(await outcomeOf(act())).toBe("done");
  });

  it("is not added where that began before the first one was added (threat: a phished password, used quickly)", async () => {
    const quick = await requireSettingUp("passkey");
    await provePassword();
    const { options } = await beginPasskey({}, origin);
    await signInHere(person);
    await withPasskey();
    const attestation = softwareAuthenticator().make(options);
    const adding = storeNewPasskey(quick, { name: "Mine", attestation }, origin);
    expect(await outcomeOf(adding)).toBe("passkey_required");
    expect((await readAccount()).passkeys).toMatchObject([{ name: "Phone" }]);
  });

  it("of another person cannot be removed by its id (threat: ids of others)", async () => {
    await withPasskey();
    const { passkeys } = await readAccount();
    await signInHere(await newPerson());
    await provePassword();
    expect(await outcomeOf(removePasskey(passkeys[0]?.id ?? "", origin))).toBe("changed_meanwhile");
  });
});

describe("where its person signs in with one-time codes", () => {
  /** Codes are on, and somebody who knows the password began the session. */
  async function withCodes() {
    const { secret } = await beginCodes({ password }, origin);
    const code = authenticatorApp(secret);
    const { recoveryCodes } = await confirmCodes({ code: code() }, origin);
    await signInHere(person);
    await provePassword();
    return { next: () => code(1), recoveryCodes };
  }
  const entries = async () => (await peopleEntries(db(), person.id)).map(({ kind }) => kind);

  it("is not added by the password alone (threat: a stolen session and the password make a way in without codes)", async () => {
    const { next } = await withCodes();
    expect(await outcomeOf(beginPasskey({}, origin))).toBe("code: required");
    expect(await outcomeOf(beginPasskey({ code: "000000" }, origin))).toBe("code: wrong_code");
    expect((await entries()).at(-1)).toBe("confirmation_refused");
    expect(await outcomeOf(add())).toBe("code: required");
    const used = next();
    const { options } = await beginPasskey({ code: used }, origin);
    expect(await outcomeOf(beginPasskey({ code: used }, origin))).toBe("code: wrong_code");
    await finish(options);
    expect((await entries()).at(-1)).toBe("passkey_added");
  });

  it("is added with a recovery code, or with another passkey used just now, not earlier", async () => {
    const { recoveryCodes } = await withCodes();
    const { options } = await beginPasskey({ code: recoveryCodes[0] ?? "" }, origin);
    await finish(options);

    await signInHere(person);
    await provePassword();
    expect(await outcomeOf(beginPasskey({}, origin))).toBe("code: required");
    await prove();
    expect(await outcomeOf(beginPasskey({}, origin))).toBe("done");
    await update("sessions", { passkey_at: Date.now() - 5 * 60_000 }, { user_id: person.id });
    await provePassword();
    expect(await outcomeOf(beginPasskey({}, origin))).toBe("code: required");
  });

  it("does not consume the code where the password is still missing", async () => {
    const { next } = await withCodes();
    await signInHere(person);
    const code = next();
    expect(await outcomeOf(beginPasskey({ code }, origin))).toBe("reauthentication_required");
    await provePassword();
    expect(await outcomeOf(beginPasskey({ code }, origin))).toBe("done");
  });
});

describe("its person is notified", () => {
  // Mail of earlier tests must not count.
  beforeEach(async () => {
    await sendAll();
    mail.mails = [];
  });

  /** The recipient of each mail, and its first sentence. */
  const reported = () =>
    mail.mails.map(({ to, source }) => {
      const text = source.replace(/=\n/g, "");
      return `${to.join()}: ${/\n([^\n.]* passkeys? [^\n.]*)\./.exec(text)?.[1] ?? text}`;
    });

  it("by mail that one was added, and removed (threat: somebody in an open session)", async () => {
    await withPasskey();
    await sendAll();
    expect(reported()).toEqual([
      `${person.email}: A passkey was added to your account at localhost:3000`,
    ]);
    await removeFirst();
    await sendAll();
    expect(reported()[1]).toBe(
      `${person.email}: A passkey was removed from your account at localhost:3000`,
    );
  });

  it("by mail that another account of the provider signs them in, or none any more (threat: an unnoticed way to sign in)", async () => {
    const identity = { issuer: "https://id.example", subject: person.id, name: null };
    const arrival = { identity: { ...identity, verifiedEmail: person.email } };
    const unclaimed = { staffRole: undefined, partners: undefined };
    await admit(db(), { ...arrival, ...unclaimed, origin: caller });
    await unlinkAccount(db(), person.email);
    await sendAll();
    const sources = mail.mails.map(({ source }) => source.replace(/=\n/g, "")).join("\n");
    expect(sources).toContain("is now linked to a sign-in provider");
    expect(sources).toContain("unlinked your account from the sign-in provider");
  });

  it("by mail, and in the browser that was signed in, that an operator reset them, which ends its sessions", async () => {
    await withPasskey();
    const session = await openSession(person.id);
    expect(await resetPasskeys(db(), person.email)).toBe("reset");
    const entries = await peopleEntries(db());
    expect(entries.findLast(({ kind }) => kind === "passkeys_reset")).toMatchObject({
      who: null,
      detail: { email: person.email, count: 1 },
    });
    // With the mail that the passkey was added, in any order.
    await sendAll();
    const removed = /operator at localhost:3000 removed all passkeys/;
    expect(reported()).toContainEqual(expect.stringMatching(removed));
    expect(await whySessionEnded(db(), session)).toBe("passkeys_reset");
    expect(await findSession(db(), session)).toBeNull();
    expect(await signIn()).toBe("refused");
    expect(await resetPasskeys(db(), person.email)).toBe("none");
    expect(await resetPasskeys(db(), "nobody@test.example")).toBe("nobody");
  });
});

it("makes known browsers unknown when it is added, and when it is removed (threat: a stolen browser token)", async () => {
  const isKnown = async (mark: string) =>
    knownDevice(mark, await deviceOwner(db(), person.id)) !== null;
  const before = rememberDevice(await deviceOwner(db(), person.id));
  await withPasskey();
  expect(await isKnown(before)).toBe(false);
  const between = rememberDevice(await deviceOwner(db(), person.id));
  expect(await isKnown(between)).toBe(true);
  await removeFirst();
  expect(await isKnown(between)).toBe(false);
});

describe("is counted", () => {
  // Each test has its own networks, whose limits no other test has used up.
  const from = (clientAddress: string) => ({ ...caller, clientAddress });
  const signInFrom = async (clientAddress: string) => {
    const begun = await beginPasskeySignIn(db(), from(clientAddress));
    if (begun.outcome !== "begun") return begun.outcome;
    const { options, boundTo } = begun;
    const given = { assertion: device.use(options), boundTo, device: undefined };
    return (await checkPasskeySignIn(db(), { ...from(clientAddress), ...given })).outcome;
  };

  it("with every sign-in, thirty an hour for a person and network (threat: a history buried in sign-ins)", async () => {
    await withPasskey();
    for (let n = 0; n < 30; n++) expect(await signInFrom("198.51.100.1")).toBe("signed_in");
    const entries = (await peopleEntries(db(), person.id)).length;
    expect(await signInFrom("198.51.100.1")).toBe("throttled");
    expect((await peopleEntries(db(), person.id)).length).toBe(entries);
    expect(await signInFrom("198.51.100.2")).toBe("signed_in");
  });

  it("with every challenge, by network and by the /48 around it (threat: a table filled by one host's addresses)", async () => {
    const ask = async (clientAddress: string) =>
      (await beginPasskeySignIn(db(), { clientAddress })).outcome;
    const filled = (from: string, most: number) =>
      take(db(), [{ key: `passkey challenges ${from}`, most, seconds: 600 }]);
    for (let n = 0; n < 300; n++) await filled("198.51.100.3", 300);
    expect(await ask("198.51.100.3")).toBe("throttled");
    for (let n = 0; n < 1_199; n++) await filled("2001:db8:7::/48", 1_200);
    expect(await ask("2001:db8:7:1::1")).toBe("begun");
    expect(await ask("2001:db8:7:2::1")).toBe("throttled");
    expect(await ask("2001:db8:8::1")).toBe("begun");
  });

  it("apart from single sign-on where it fails (threat: wrong passkeys that block the other way to sign in)", async () => {
    const clientAddress = "198.51.100.4";
    const request = { ...from(clientAddress), boundTo: "made up", device: undefined };
    const assertion = device.use((await begin()).options);
    for (let n = 0; n < 100; n++) await checkPasskeySignIn(db(), { ...request, assertion });
    expect(await checkPasskeySignIn(db(), { ...request, assertion })).toMatchObject({
      outcome: "throttled",
    });
    expect(await consume(db(), { email: null, clientAddress })).toEqual({ allowed: true });
  });
});

describe("other signatures are not accepted", () => {
  beforeEach(withPasskey);

  it.each<[how: string, Twist]>([
    ["for another origin (threat: a look-alike page)", { origin: "https://gancho.example.net" }],
    ["for another port of this host", { origin: "http://localhost:3001" }],
    ["for another relying party", { rpId: "example.net" }],
    ["made while adding a passkey", { type: "webauthn.create" }],
    ["without user verification (threat: a found device)", { unverified: true }],
    ["in the name of another person", { userHandle: handleOf({ id: "somebody" }) }],
    ["in nobody's name", { userHandle: null }],
  ])("%s", async (_how, twist) => {
    expect(await signIn(device, twist)).toBe("refused");
    expect(await lastEntry()).toMatchObject({
      kind: "sign_in_refused",
      outcome: "wrong_passkey",
      who: person.id,
    });
  });

  it("for a challenge of the attacker's", async () => {
    expect(await signIn(device, { challenge: "AAAA" })).toBe("over");
  });

  it("with another key under this passkey's name", async () => {
    const request = signedWith(await begin(), softwareAuthenticator());
    Object.assign(request.assertion, { id: device.id, userHandle: handleOf(person) });
    expect(await checkPasskeySignIn(db(), request)).toEqual({ outcome: "refused" });
  });

  it("twice (threat: a recorded assertion)", async () => {
    const request = signedWith(await begin());
    expect(await checkPasskeySignIn(db(), request)).toMatchObject({ outcome: "signed_in" });
    expect(await checkPasskeySignIn(db(), request)).toEqual({ outcome: "over" });
  });

  it("in another browser than the challenge's (threat: a phished assertion)", async () => {
    const request = signedWith(await begin());
    for (const { boundTo } of [await begin(), { boundTo: undefined }])
      expect(await checkPasskeySignIn(db(), { ...request, boundTo })).toEqual({ outcome: "over" });
  });

  it("too late", async () => {
    const request = signedWith(await begin());
    const late = Date.now() + challengeLifeMs;
    expect(await checkPasskeySignIn(db(), request, late)).toEqual({ outcome: "over" });
  });

  it("for a step-up, to sign in with (threat: one signature for another purpose)", async () => {
    const request = { ...signedWith(await begin()), assertion: device.use(await toProve()) };
    expect(await checkPasskeySignIn(db(), request)).toEqual({ outcome: "over" });
  });

  it("by a person without access any more", async () => {
    await update("users", { disabled_at: 1 }, { id: person.id });
    expect(await signIn()).toBe("refused");
    expect(await lastEntry()).toMatchObject({ outcome: "disabled", who: person.id });
  });
});

it("is refused, and recorded, where its signature counter went back (threat: a copied authenticator)", async () => {
  const counting = softwareAuthenticator({ counts: true });
  await provePassword();
  await add(counting);
  expect(await signIn(counting)).toBe("signed_in");
  counting.setCounter(0);
  expect(await signIn(counting)).toBe("refused");
  expect(await lastEntry()).toMatchObject({
    kind: "sign_in_refused",
    outcome: "passkey_counter",
    who: person.id,
  });
  counting.setCounter(7);
  expect(await signIn(counting)).toBe("signed_in");
});

it("is not added for other pages, or with another session's challenge (threat: a passkey of the attacker's)", async () => {
  await provePassword();
  expect(await outcomeOf(add(device, { origin: "https://evil.example" }))).toBe("passkey_refused");
  expect(await outcomeOf(add(device, { rpId: "evil.example" }))).toBe("passkey_refused");
  expect(await outcomeOf(add(device, { unverified: true }))).toBe("passkey_refused");
  const { options } = await beginPasskey({}, origin);
  await signInHere(await newPerson());
  expect(await outcomeOf(finish(options))).toBe("passkey_over");
  expect(await signIn()).toBe("refused");
});

describe("as a step-up", () => {
  it("counts for five minutes in its session, as the password does, if it is right", async () => {
    await withPasskey();
    await signInHere(person);
    const wrong = confirmStepUp({ password: "another" }, origin);
    expect(await outcomeOf(wrong)).toBe("password: wrong_password");
    expect(await outcomeOf(requireAnyStepUp())).toBe("reauthentication_required");
    expect(await outcomeOf(prove())).toBe("done");
    expect(await outcomeOf(requireAnyStepUp())).toBe("done");
    const later = requireAnyStepUp(Date.now() + 5 * 60_000);
    expect(await outcomeOf(later)).toBe("reauthentication_required");
    await signInHere(person);
    expect(await outcomeOf(requireAnyStepUp())).toBe("reauthentication_required");
  });

  it("by another person's passkey is refused and recorded (threat: an attacker's own passkey)", async () => {
    await withPasskey();
    const other = await newPerson();
    const own = softwareAuthenticator();
    await signInHere(other);
    await provePassword();
    await add(own);
    await signInHere(person);
    expect(await outcomeOf(prove(own))).toBe("passkey_refused");
    expect(await lastEntry()).toMatchObject({
      kind: "confirmation_refused",
      outcome: "wrong_passkey",
      who: person.id,
    });
    expect(await outcomeOf(requireAnyStepUp())).toBe("reauthentication_required");
    for (let n = 0; n < 5; n++) await outcomeOf(prove(own));
    expect(await outcomeOf(prove())).toBe("too_many_requests");
    await signInHere(person);
    expect(await outcomeOf(prove())).toBe("done");
  });

  it("is not accepted from another session (threat: a replayed signature)", async () => {
    await withPasskey();
    const passkey = await toProve();
    await signInHere(person);
    const proof = { passkey: device.use(passkey) };
    expect(await outcomeOf(confirmStepUp(proof, origin))).toBe("passkey_over");
  });
});

it("does not work at an IP address, which browsers refuse", () => {
  expect(relyingPartyAt("http://127.0.0.1:3000")).toBeNull();
  expect(relyingPartyAt("http://[::1]:3000")).toBeNull();
  expect(relyingPartyAt("https://gancho.example.com")).toEqual({
    id: "gancho.example.com",
    origin: "https://gancho.example.com",
  });
});

it.each([
  [null, [false, false, false]],
  ["staff", [true, false, false]],
  ["admins", [true, true, false]],
  ["all", [true, true, true]],
] as const)("is needed with %s by staff, a partner's admin and an editor: %j", (of, needed) => {
  const ana = { id: "a", name: "Ana", email: "a@b.example", invitedAs: "a@b.example" };
  const someone = { ...ana, staffRole: null, memberships: [] };
  const partner = { partnerId: "aurora", partnerName: "Aurora" };
  const people: Viewer[] = [
    { ...someone, staffRole: "support" },
    { ...someone, memberships: [{ ...partner, role: "admin" }] },
    { ...someone, memberships: [{ ...partner, role: "editor" }] },
  ];
  const required = of && { of, passkey: true };
  vi.spyOn(env(), "requireSecondFactor", "get").mockReturnValue(required);
  expect(people.map((each) => requiredSecondFactor(each) === "passkey")).toEqual(needed);
});

describe("where it is required of staff", () => {
  let operator: TestPerson;
  beforeEach(async () => {
    const required = { of: "staff", passkey: true } as const;
    vi.spyOn(env(), "requireSecondFactor", "get").mockReturnValue(required);
    operator = await newPerson({ staffRole: "operator" });
    await signInHere(operator);
  });

  it("nothing else opens before one is added, and it stays (threat: a guessed staff password)", async () => {
    expect(await outcomeOf(requireUser())).toBe("passkey_required");
    expect(await outcomeOf(requireStaff("staff.manage"))).toBe("passkey_required");
    expect(await outcomeOf(beginCodes({ password }, origin))).toBe("passkey_required");
    expect(await readAccount()).toMatchObject({ passkeyMissing: "add", sessions: [] });
    await withPasskey();
    expect(await outcomeOf(requireStaff("staff.manage"))).toBe("done");
    expect(await outcomeOf(removeFirst())).toBe("last_passkey");
    await add(softwareAuthenticator(), {}, "Key");
    await removeFirst();
  });

  it("a password alone opens nothing once there is one, and using it does (threat: a stolen staff password)", async () => {
    await withPasskey();
    await signInHere(operator);
    expect(await outcomeOf(requireUser())).toBe("passkey_required");
    expect(await readAccount()).toMatchObject({ passkeyMissing: "use" });
    await provePassword();
    expect(await outcomeOf(requireUser())).toBe("passkey_required");
    await prove();
    expect(await outcomeOf(requireUser())).toBe("done");
    await signInHere(operator, "passkey");
    expect(await outcomeOf(requireUser())).toBe("done");
  });

  it("a password alone adds neither a passkey nor codes once there is one (threat: a stolen staff password makes its own)", async () => {
    await withPasskey();
    await signInHere(operator);
    await provePassword();
    const own = softwareAuthenticator();
    expect(await outcomeOf(add(own, {}, "Mine"))).toBe("passkey_required");
    expect(await outcomeOf(beginCodes({ password }, origin))).toBe("passkey_required");
    expect(await outcomeOf(confirmCodes({ code: "123456" }, origin))).toBe("passkey_required");
    expect((await readAccount()).passkeys).toMatchObject([{ name: "Phone" }]);
    await prove();
    await add(own, {}, "Key");
  });

  it("people with single sign-on are exempt", async () => {
    await signInHere(await newPerson({ staffRole: "support" }), "single_sign_on");
    expect(await outcomeOf(requireUser())).toBe("done");
  });
});

function handleOf({ id }: Pick<TestPerson, "id">): string {
  return Buffer.from(id).toString("base64url");
}
