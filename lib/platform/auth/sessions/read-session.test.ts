import { newPerson, openSession } from "@/lib/account/testing/account-world";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { beforeAll, expect, it, vi } from "vitest";
import { readSession } from "./read-session";
import { endSession } from "./sessions";

const sent = vi.hoisted(() => ({ cookie: "", headers: {} as Record<string, string> }));
vi.unmock("./read-session");
vi.mock("next/headers", () => ({
  headers: async () => new Headers(sent.headers),
  cookies: async () => ({
    get: (name: string) =>
      name === "gancho.session" && sent.cookie ? { name, value: sent.cookie } : undefined,
  }),
}));

beforeAll(() => configure());

it.each([
  ["password", null],
  ["passkey", null],
  ["single_sign_on", "single_sign_on"],
] as const)(
  "where the provider is the only way in, one that began by %s opens %s (threat: somebody who left, with a password that the provider knows nothing of)",
  async (way, opens) => {
    sent.cookie = await openSession((await newPerson()).id, way);
    expect(await readSession()).toMatchObject({ signedInBy: way });
    signInAt(aProvider);
    expect((await readSession())?.signedInBy ?? null).toBe(opens);
  },
);

it("is named by its cookie alone, and by nothing once it ended (threats: a session sent where a cookie is expected, a stolen cookie)", async () => {
  const id = await openSession((await newPerson()).id);
  Object.assign(sent, { cookie: "", headers: { authorization: `Bearer ${id}` } });
  expect(await readSession()).toBeNull();
  Object.assign(sent, { cookie: id, headers: {} });
  expect(await readSession()).not.toBeNull();
  for (const other of [id.slice(0, -1), `${id}=`, ` ${id}`, id.toUpperCase()]) {
    sent.cookie = other;
    expect(await readSession(), other).toBeNull();
  }
  sent.cookie = id;
  await endSession(db(), id);
  expect(await readSession()).toBeNull();
});
