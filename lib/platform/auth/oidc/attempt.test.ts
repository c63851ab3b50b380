import { configure } from "@/lib/platform/database/testing/configure";
import { insert, rowOf } from "@/lib/platform/database/testing/rows";
import { db } from "@/lib/platform/database/open";
import { Secret } from "@/lib/platform/runtime/secret";
import { beforeAll, expect, it } from "vitest";
import { admitTold, requireOwnMetadata } from "./attempt";

beforeAll(async () => {
  await configure();
  await insert("users", { id: "ana", email: "ana@aurora.example", name: "Ana", created_at: 1 });
});

const issuer = "https://id.example";
const claims = { sub: "ana", email: "ana@aurora.example", email_verified: true };
const staff = { name: "groups", support: "gancho-support", operator: "gancho-operators" };

function arriveFrom(clientAddress: string, groups: readonly string[] = []) {
  return admitTold(
    {
      issuer,
      clientId: "gancho",
      clientSecret: new Secret("secret"),
      name: "Example ID",
      staff,
      partners: null,
      isOnlyWay: false,
    },
    { claims: { ...claims, groups }, leave: null },
    { requestId: "q1", clientAddress, userAgent: null },
  );
}

it("lets one account sign in thirty times an hour from one network, and records no more (threat: filling the history by signing in)", async () => {
  const entries = () => db().selectFrom("history").select("seq").execute();
  const isIn = { outcome: "signed_in" };
  for (let n = 0; n < 30; n++) expect(await arriveFrom("192.0.2.7")).toMatchObject(isIn);
  const before = await entries();
  expect(await arriveFrom("192.0.2.7")).toEqual({
    outcome: "too_often",
    retryAfterSeconds: expect.any(Number),
  });
  expect(await entries()).toEqual(before);
  expect(await arriveFrom("198.51.100.1")).toMatchObject(isIn);
});

it("makes a person staff as the provider's groups say, and only while they say so", async () => {
  const role = async () => (await rowOf("users", { id: "ana" })).staff_role;
  await arriveFrom("198.51.100.1", ["gancho-operators"]);
  expect(await role()).toBe("operator");
  await arriveFrom("198.51.100.1");
  expect(await role()).toBeNull();
});

const metadata = {
  issuer,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
};

it.each([
  ["calls itself another (threat: one speaks for the other)", { issuer: "https://other.example" }],
  ["differs by a slash at the end, as providers do", { issuer: `${issuer}/` }],
  ["takes codes in the clear", { token_endpoint: "http://id.example/token" }],
  ["shows its keys in the clear", { jwks_uri: "http://id.example/keys" }],
  ["takes tokens in the clear", { userinfo_endpoint: "http://id.example/userinfo" }],
])("sends no code and no secret to a provider that %s", (_what, change) => {
  expect(() => requireOwnMetadata(metadata, issuer)).not.toThrow();
  expect(() => requireOwnMetadata({ ...metadata, ...change }, issuer)).toThrow(/the provider/);
});

it("uses a provider on this machine without TLS at its own address only", () => {
  const local = "http://127.0.0.1:9000";
  const own = { issuer: local, token_endpoint: `${local}/token`, jwks_uri: `${local}/keys` };
  expect(() => requireOwnMetadata(own, local)).not.toThrow();
  const elsewhere = { ...own, token_endpoint: "http://127.0.0.1:9001/token" };
  expect(() => requireOwnMetadata(elsewhere, local)).toThrow("without TLS");
});
