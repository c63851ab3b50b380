import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { newAttempt } from "./attempt";

beforeAll(async () => {
  await configure();
});

let partnerId: string;
let who: Record<string, unknown>;
beforeEach(async () => {
  signInAt({ ...aProvider, isOnlyWay: false });
  partnerId = randomUUID();
  await insert("partners", { id: partnerId, name: partnerId, created_at: 1 });
  const email = `${randomUUID()}@people.example`;
  who = { sub: randomUUID(), email, email_verified: true, name: "Eva Reis" };
});

/** Signs the person in with these groups; null where that fails. */
async function arrive(...groups: string[]): Promise<string | null> {
  const { oidc } = env();
  if (!oidc) throw new Error("there is a provider");
  const origin = { requestId: "q1", clientAddress: "192.0.2.9", userAgent: null };
  const attempt = newAttempt(oidc, { id: "a", origin, askWho: false });
  await attempt.admit({ ...who, groups });
  return attempt.result?.outcome === "signed_in" ? attempt.result.userId : null;
}

const membership = () =>
  db()
    .selectFrom("memberships")
    .select(["role", "managed"])
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();

it("fails where the claim names more partners than one sign-in takes, and ends nothing (threat: access lost in the provider's name)", async () => {
  expect(await arrive(`pix-${partnerId}-editor`)).not.toBeNull();
  const others = Array.from({ length: 200 }, (_, at) => `pix-other-${at}-viewer`);
  expect(await arrive(...others, `pix-${partnerId}-editor`)).toBeNull();
  expect(await membership()).toEqual({ role: "editor", managed: 1 });
});
