import { configure } from "@/lib/platform/database/testing/configure";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
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
  type TestPerson,
} from "@/lib/account/testing/account-world";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

beforeAll(() => configure());
afterEach(() => vi.restoreAllMocks());

const next = "a river between two hills";
let person: TestPerson;
beforeEach(async () => {
  person = await newPerson();
  await signInHere(person);
});

const hashNow = async () => (await rowOf("users", { id: person.id })).password_hash;

async function attestation() {
  await confirmStepUp({ password }, origin);
  const { options } = await beginPasskey({}, origin);
  return { name: "Phone", attestation: softwareAuthenticator().make(options) };
}

/** Each lets a request in, and returns its remaining work and a read of what that would change. */
const requests = {
  "adds no passkey (threat: a thief's request outlives signing out everywhere)": async () => {
    const given = await attestation();
    const access = await requireSettingUp("passkey");
    return [() => addPasskey(access, given, origin), () => passkeysOf(db(), person.id)];
  },
  "removes no passkey": async () => {
    await addPasskeyNow(await attestation(), origin);
    const [passkey] = await passkeysOf(db(), person.id);
    const access = await requireOwnAccount();
    const remove = () => removePasskey(access, passkey?.id ?? "", origin);
    return [remove, () => passkeysOf(db(), person.id)];
  },
  "sets up no codes (threat: a thief's codes keep the person out)": async () => {
    const { secret } = await beginCodes({ password }, origin);
    const access = await requireSettingUp("codes");
    const code = authenticatorApp(secret)();
    return [() => confirmCodes(access, { code }, origin), () => codesSetUpAt(db(), person.id)];
  },
  "turns no codes off": async () => {
    const { secret } = await beginCodes({ password }, origin);
    const { recoveryCodes } = await confirmCodesNow({ code: authenticatorApp(secret)() }, origin);
    const access = await requireOwnAccount();
    const proofs = { password, code: recoveryCodes[0] ?? "" };
    return [() => turnOffCodes(access, proofs, origin), () => codesSetUpAt(db(), person.id)];
  },
  "changes no password (threat: undoing the person's reset)": async () => {
    const access = await requireOwnAccount();
    const given = { current: password, password: next };
    return [() => changePassword(access, given, origin), hashNow];
  },
} satisfies Record<string, () => Promise<(() => Promise<unknown>)[]>>;

it.each(Object.entries(requests))("once the session has ended, %s", async (_what, letIn) => {
  const [act, state] = (await letIn()) as [() => Promise<unknown>, () => Promise<unknown>];
  const before = await state();
  await endSessionsOf(db(), person.id, "ended_elsewhere");
  expect(await outcomeOf(act())).toBe("signed_out");
  expect(await state()).toEqual(before);
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
