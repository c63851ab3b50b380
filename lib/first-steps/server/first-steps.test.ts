import { inPartner } from "@/lib/platform/access/testing/asking";
import { db } from "@/lib/platform/database/open";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { firstStepsContext, dismissFirstSteps } from "./first-steps";

vi.mock("@/lib/platform/auth/sessions/read-session", async () => ({
  readSession: (await import("@/lib/webhooks/testing/signed-in")).sessionInTest,
}));

const read = inPartner("first_steps.follow", firstStepsContext);
const put = inPartner("first_steps.follow", dismissFirstSteps);

let world: World;
let partner: TestPartner;
let admin: string;
beforeAll(async () => {
  world = await startWorld(async (url) => `${url},production=${url}`);
});
afterAll(() => world.close());
beforeEach(async () => {
  partner = await world.partner();
  admin = await partner.person("admin");
  signInAs(admin);
});

it("are put away by each person for themselves, in one environment, and brought back", async () => {
  await put(partner.id, "sandbox", { away: true });
  await put(partner.id, "sandbox", { away: true });
  expect(await read(partner.id, "sandbox")).toBeNull();
  expect(await read(partner.id, "production")).not.toBeNull();
  signInAs(await partner.person("viewer"));
  expect(await read(partner.id, "sandbox")).not.toBeNull();
  signInAs(admin);
  await put(partner.id, "sandbox", { away: false });
  await put(partner.id, "sandbox", { away: false });
  expect(await read(partner.id, "sandbox")).not.toBeNull();
});

it("count the admins who can sign in, and invitations that can still be accepted", async () => {
  const second = await partner.person("admin");
  await partner.person("editor");
  expect(await read(partner.id, "sandbox")).toMatchObject({ admins: 2, invited: 0 });
  await db()
    .updateTable("users")
    .set({ disabled_at: Date.now() })
    .where("id", "=", second)
    .execute();
  expect(await read(partner.id, "sandbox")).toMatchObject({ admins: 1 });
});

it("are the members' affair", async () => {
  signInAs(await world.staff("operator"));
  expect(await codeOf(put(partner.id, "sandbox", { away: true }))).toBe("not_found");
  signInAs(await world.staff("support"));
  expect(await codeOf(put(partner.id, "sandbox", { away: true }))).toBe("forbidden");
});

it("rejects an unknown environment", async () => {
  expect(await codeOf(put(partner.id, randomUUID().slice(0, 8), { away: true }))).toBe("not_found");
});
