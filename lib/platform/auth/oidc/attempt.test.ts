import { db } from "@/lib/platform/database/open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { Secret } from "@/lib/platform/runtime/secret";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newAttempt } from "./attempt";

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: await migratedDatabaseUrl(),
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
    PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:1",
  });
  await db()
    .insertInto("users")
    .values({
      id: "ana",
      email: "ana@aurora.example",
      name: "Ana",
      password_hash: null,
      staff_role: null,
      disabled_at: null,
      created_at: 1,
    })
    .execute();
});
afterAll(() => db().destroy());

const issuer = "https://id.example";
const claims = { sub: "ana", email: "ana@aurora.example", email_verified: true };

function arriveFrom(clientAddress: string) {
  const attempt = newAttempt(
    {
      issuer,
      clientId: "gancho",
      clientSecret: new Secret("secret"),
      name: "Example ID",
      scope: "openid email",
      staff: null,
    },
    {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    } as Parameters<typeof newAttempt>[1],
    {
      origin: { requestId: "q1", clientAddress, userAgent: null },
      askWho: false,
    },
  );
  return { attempt, isIn: attempt.admit(claims) };
}

it("lets one account sign in thirty times an hour from one network, and records no more (threat: filling the history by signing in)", async () => {
  const entries = () => db().selectFrom("history").select("seq").execute();
  for (let n = 0; n < 30; n++) expect(await arriveFrom("192.0.2.7").isIn).toBe(true);
  const before = await entries();
  const { attempt, isIn } = arriveFrom("192.0.2.7");
  expect(await isIn).toBe(false);
  expect(attempt.retryAfterSeconds).toBeGreaterThan(0);
  expect(await entries()).toEqual(before);
  expect(await arriveFrom("198.51.100.1").isIn).toBe(true);
});
