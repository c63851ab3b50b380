import { configure } from "@/lib/platform/database/testing/configure";
import { rowOf } from "@/lib/platform/database/testing/rows";
import { requirePartner, requireStaff, requireUser } from "@/lib/platform/access/require";
import { currentViewer } from "@/lib/platform/access/viewer";
import { peopleKinds } from "@/lib/history/testing/people-entries";
import { findSession } from "@/lib/platform/auth/sessions/sessions";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { authenticatorApp } from "@/lib/platform/auth/testing/authenticator-app";
import { db } from "@/lib/platform/database/open";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import {
  beginCodes,
  changePassword,
  confirmCodes,
  endSessions,
  readAccount,
  renewRecoveryCodes,
  turnOffCodes,
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

beforeAll(() => {
  vi.stubEnv("REQUIRE_SECOND_FACTOR", "staff");
  return configure();
});

let person: TestPerson;
let here: string;
beforeEach(async () => {
  person = await newPerson();
  here = await signInHere(person);
});

async function setUp() {
  const begun = await beginCodes({ password }, origin);
  const code = authenticatorApp(begun.secret);
  const used = code();
  const { recoveryCodes } = await confirmCodes({ code: used }, origin);
  return { code, used, recoveryCodes };
}

it("gives the app the secret as text, as an address and as a picture, and requires no code yet", async () => {
  const { secret, uri, picture } = await beginCodes({ password }, origin);
  expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  expect(new URL(uri).searchParams.get("secret")).toBe(secret.replaceAll(" ", ""));
  expect(decodeURIComponent(uri)).toContain(person.email);
  expect(picture.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
  // The corner of a QR code: a dark frame of seven modules behind four light ones.
  expect(picture.path).toMatch(/^M4 4h1v1h-1zM5 4h1v1h-1z/);
  expect((await readAccount()).codes).toBeNull();
});

it("ends the sessions that began without a code, once codes are set up (threat: a session made before)", async () => {
  const before = await openSession(person.id);
  const { recoveryCodes } = await setUp();
  expect(recoveryCodes).toHaveLength(10);
  expect(await findSession(db(), before)).toBeNull();
  expect(await findSession(db(), here)).not.toBeNull();
  expect((await readAccount()).codes).toMatchObject({ recoveryCodesLeft: 10 });
  const from = { requestId: null, clientAddress: null, userAgent: null };
  const again = { email: person.email, password, ...from };
  expect(await signIn(db(), again, false)).toMatchObject({ outcome: "code_required" });
});

it("requires the password before it shows a secret (threat: a session left open, and its person locked out)", async () => {
  const begun = beginCodes({ password: "wrong" }, origin);
  expect(await outcomeOf(begun)).toBe("password: wrong_password");
  await expect(rowOf("one_time_codes", { user_id: person.id })).rejects.toThrow("no result");
});

it("requires a correct code, limits the tries, and shows no second secret while one is in use", async () => {
  expect(await outcomeOf(confirmCodes({ code: "123456" }, origin))).toBe("changed_meanwhile");
  await setUp();
  expect(await outcomeOf(beginCodes({ password }, origin))).toBe("changed_meanwhile");
  await signInHere(await newPerson());
  await beginCodes({ password }, origin);
  const outcomes: string[] = [];
  for (let n = 0; n < 6; n++) outcomes.push(await outcomeOf(confirmCodes({ code: "x" }, origin)));
  expect(outcomes).toEqual([...Array<string>(5).fill("code: wrong_code"), "too_many_requests"]);
});

it("is turned off by password and code together (threat: a stolen session, or a stolen password)", async () => {
  const { code, used, recoveryCodes } = await setUp();
  const turnOff = (typed: string, typedCode: string) =>
    outcomeOf(turnOffCodes({ password: typed, code: typedCode }, origin));
  expect(await turnOff("not the password", code(1))).toBe("password: wrong_password");
  expect(await turnOff(password, used)).toBe("code: wrong_code");
  expect(await turnOff(password, recoveryCodes[0] ?? "")).toBe("done");
  expect((await readAccount()).codes).toBeNull();
  expect(await turnOff(password, code(1))).toBe("changed_meanwhile");
  expect(await peopleKinds(db(), person.id)).toEqual([
    "one_time_codes_changed: on",
    "confirmation_refused: wrong_password",
    "confirmation_refused: wrong_code",
    "one_time_codes_changed: off",
  ]);
});

it("gives new recovery codes for password and code together, and the old ones stop working (threat: a code obtained with the password alone)", async () => {
  const { used, recoveryCodes } = await setUp();
  const [first = "", second = ""] = recoveryCodes;
  const renew = (typed: string, typedCode: string) =>
    renewRecoveryCodes({ password: typed, code: typedCode }, origin);
  expect(await outcomeOf(renew("not the password", first))).toBe("password: wrong_password");
  expect(await outcomeOf(renew(password, used))).toBe("code: wrong_code");
  const { recoveryCodes: renewed } = await renew(password, first);
  expect((await readAccount()).codes).toMatchObject({ recoveryCodesLeft: 10 });
  expect(recoveryCodes.filter((old) => renewed.includes(old))).toEqual([]);
  expect(await outcomeOf(renew(password, second))).toBe("code: wrong_code");

  const atOnce = [renewed[0] ?? "", renewed[1] ?? ""].map((code) =>
    outcomeOf(renew(password, code)),
  );
  expect((await Promise.all(atOnce)).sort()).toEqual(["code: wrong_code", "done"]);
  expect((await readAccount()).codes).toMatchObject({ recoveryCodesLeft: 10 });
  const turnOff = turnOffCodes({ password, code: renewed[2] ?? "" }, origin);
  expect(await outcomeOf(turnOff)).toBe("code: wrong_code");
});

it("is not for people without a password", async () => {
  await signInHere(await newPerson({ passwordSet: false }), "single_sign_on");
  const begun = beginCodes({ password: "anything" }, origin);
  expect(await outcomeOf(begun)).toBe("password: wrong_password");
});

it("are required of staff, who can do nothing else until they set them up (threat: a guessed staff password)", async () => {
  await signInHere(await newPerson({ staffRole: "operator" }));
  const required = "one_time_codes_required";
  expect(await currentViewer()).toBeNull();
  expect(await outcomeOf(requireUser())).toBe(required);
  expect(await outcomeOf(requireStaff("staff.manage"))).toBe(required);
  expect(await outcomeOf(requirePartner("aurora", "webhooks.read"))).toBe(required);
  expect(await outcomeOf(endSessions({ which: "others" }, origin))).toBe(required);
  expect(await outcomeOf(changePassword({ current: password, password }, origin))).toBe(required);
  expect(await readAccount()).toMatchObject({ codesMissing: true, sessions: [] });

  const { secret } = await beginCodes({ password }, origin);
  expect(await outcomeOf(requireUser())).toBe(required);
  await confirmCodes({ code: authenticatorApp(secret)() }, origin);
  expect(await outcomeOf(requireStaff("staff.manage"))).toBe("done");
  expect(await readAccount()).toMatchObject({ codesMissing: false });
});

it("requires no codes of staff who sign in with a passkey, which is two factors in one", async () => {
  await signInHere(await newPerson({ staffRole: "operator" }), "passkey");
  expect(await outcomeOf(requireStaff("staff.manage"))).toBe("done");
});

it("requires none of staff with single sign-on, or of a partner's people", async () => {
  await signInHere(await newPerson({ staffRole: "support", passwordSet: false }), "single_sign_on");
  expect(await outcomeOf(requireStaff("support_view.open"))).toBe("done");
  await signInHere(await newPerson());
  expect(await outcomeOf(requireUser())).toBe("done");
});
