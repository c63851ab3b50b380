import { update } from "@/lib/platform/database/testing/rows";
import { codesSetUpAt } from "@/lib/platform/auth/second-factors";
import { requireOwnAccount, requireSettingUp } from "@/lib/platform/access/require";
import { passkeysOf } from "@/lib/platform/auth/passkeys/passkeys";
import * as passwordHash from "@/lib/platform/auth/passwords/password-hash";
import { authenticatorApp } from "@/lib/platform/auth/testing/authenticator-app";
import { softwareAuthenticator } from "@/lib/platform/auth/testing/software-authenticator";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { changePassword } from "@/lib/account/server/account";
import { confirmCodes, turnOffCodes } from "@/lib/account/server/codes/codes";
import { addPasskey, removePasskey } from "@/lib/account/server/passkeys";
import {
  addPasskey as addPasskeyNow,
  beginCodes,
  beginPasskey,
  confirmCodes as confirmCodesNow,
  confirmStepUp,
} from "@/lib/account/testing/with-access";
import {
  newPerson,
  origin,
  outcomeOf,
  password,
  signInHere,
  startAccountWorld,
  type TestPerson,
} from "@/lib/account/testing/account-world";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

beforeAll(startAccountWorld);
afterAll(() => db().destroy());
afterEach(() => vi.restoreAllMocks());

const next = "a river between two hills";
let person: TestPerson;
beforeEach(async () => {
  person = await newPerson();
  await signInHere(person);
});

const endSessions = () => endSessionsOf(db(), person.id, "ended_elsewhere");

async function hashNow(): Promise<string | null> {
  const row = db().selectFrom("users").select("password_hash").where("id", "=", person.id);
  return (await row.executeTakeFirstOrThrow()).password_hash;
}

async function attestation() {
  await confirmStepUp({ password }, origin);
  const { options } = await beginPasskey({}, origin);
  return { name: "Phone", attestation: softwareAuthenticator().make(options) };
}

it("adds no passkey once the session has ended (threat: a thief's request outlives signing out everywhere)", async () => {
  const given = await attestation();
  const access = await requireSettingUp("passkey");
  await endSessions();
  expect(await outcomeOf(addPasskey(access, given, origin))).toBe("signed_out");
  expect(await passkeysOf(db(), person.id)).toEqual([]);
});

it("removes no passkey once the session has ended", async () => {
  await addPasskeyNow(await attestation(), origin);
  const [passkey] = await passkeysOf(db(), person.id);
  const access = await requireOwnAccount();
  await endSessions();
  expect(await outcomeOf(removePasskey(access, passkey?.id ?? "", origin))).toBe("signed_out");
  expect(await passkeysOf(db(), person.id)).toHaveLength(1);
});

it("sets up no codes once the session has ended (threat: a thief's codes keep the person out)", async () => {
  const { secret } = await beginCodes({ password }, origin);
  const access = await requireSettingUp("codes");
  await endSessions();
  const code = authenticatorApp(secret)();
  expect(await outcomeOf(confirmCodes(access, { code }, origin))).toBe("signed_out");
  expect(await codesSetUpAt(db(), person.id)).toBeNull();
});

it("turns no codes off once the session has ended", async () => {
  const { secret } = await beginCodes({ password }, origin);
  const app = authenticatorApp(secret);
  const { recoveryCodes } = await confirmCodesNow({ code: app() }, origin);
  const access = await requireOwnAccount();
  await endSessions();
  const proofs = { password, code: recoveryCodes[0] ?? "" };
  expect(await outcomeOf(turnOffCodes(access, proofs, origin))).toBe("signed_out");
  expect(await codesSetUpAt(db(), person.id)).not.toBeNull();
});

it("changes no password once the session has ended (threat: undoing the person's reset)", async () => {
  const before = await hashNow();
  const access = await requireOwnAccount();
  await endSessions();
  const change = changePassword(access, { current: password, password: next }, origin);
  expect(await outcomeOf(change)).toBe("signed_out");
  expect(await hashNow()).toBe(before);
});

it("changes no password that was changed while the new one was hashed", async () => {
  vi.spyOn(passwordHash, "hashPassword").mockImplementationOnce(async () => {
    const set = { password_hash: "another" };
    await update("users", set, { id: person.id });
    return "mine";
  });
  const change = changePassword(
    await requireOwnAccount(),
    { current: password, password: next },
    origin,
  );
  expect(await outcomeOf(change)).toBe("changed_meanwhile");
  expect(await hashNow()).toBe("another");
});
