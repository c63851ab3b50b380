import { requirePartner, requireStaff, requireUser } from "@/lib/platform/access/require";
import { currentViewer } from "@/lib/platform/access/viewer";
import { authenticatorApp } from "@/lib/platform/auth/testing/authenticator-app";
import { db } from "@/lib/platform/database/open";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  beginCodes,
  changePassword,
  confirmCodes,
  endSessions,
  readAccount,
} from "@/lib/account/testing/with-access";
import {
  newPerson,
  origin,
  outcomeOf,
  password,
  signInHere,
  startAccountWorld,
} from "@/lib/account/testing/account-world";

beforeAll(async () => {
  vi.stubEnv("REQUIRE_SECOND_FACTOR", "staff");
  await startAccountWorld();
});
afterAll(() => db().destroy());

it("lets staff without codes set them up and do nothing else, then all (threat: a guessed staff password)", async () => {
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

it("leaves staff with single sign-on to their provider, and a partner's people to themselves", async () => {
  await signInHere(await newPerson({ staffRole: "support", passwordSet: false }), "single_sign_on");
  expect(await outcomeOf(requireStaff("support_view.open"))).toBe("done");
  await signInHere(await newPerson());
  expect(await outcomeOf(requireUser())).toBe("done");
});
