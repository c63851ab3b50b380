import { METHODS } from "node:http";
import { describe, expect, test } from "vitest";
import contract from "@/lib/platform/payment-service/contract/openapi.json";
import { requestToken, basic, call } from "@/lib/sandbox/testing/call";
import { client, startForTest } from "@/lib/sandbox/testing/start-for-test";

/** CONNECT is not for a path, so no request of it ever reaches one. */
const methodsWithout = (...known: string[]) =>
  METHODS.filter((method) => method !== "CONNECT" && !known.includes(method));

describe("a method without an operation at a path gets 405 with the allowed ones", () => {
  test.each([
    ["/api/oauth/token", "POST"],
    ["/api/v1/webhooks", "GET, HEAD, POST"],
    ["/openapi.json", "GET, HEAD"],
  ])("%s: %s", async (path, allow) => {
    const sandbox = await startForTest();
    for (const method of methodsWithout(...allow.split(", "))) {
      const answer = await call(sandbox, method, path);
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
    }
  });
});

test.each([
  "/",
  "/api",
  "/api/v1",
  "/api/v1/webhooks/",
  "/api/v1/webhooks/pix_in",
  "/api/v2/webhooks",
  "/API/v1/webhooks",
  "/oauth/token",
])("%s is unknown: 404 in JSON, in other words than those of an empty list", async (path) => {
  const sandbox = await startForTest();
  for (const method of ["GET", "POST", "DELETE"]) {
    const answer = await call(sandbox, method, path);
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(answer.body)).toEqual({ error: "Not found" });
  }
});

test("the contract's document is served to anybody", async () => {
  const sandbox = await startForTest();
  const answer = await call(sandbox, "GET", "/openapi.json");
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual(contract);
});

describe("the limit of requests", () => {
  const credentials = basic(client.client_id, client.client_secret);

  test("is off", async () => {
    const sandbox = await startForTest();
    for (let count = 0; count < 50; count += 1) {
      expect((await requestToken(sandbox, credentials)).status).toBe(200);
    }
  });

  test("where it is on, what is over it gets 429 with the seconds to wait, whatever it was", async () => {
    const sandbox = await startForTest({ rateLimit: 3 });
    for (let count = 0; count < 3; count += 1) {
      expect((await requestToken(sandbox, credentials)).status).toBe(200);
    }
    for (const answer of [
      await requestToken(sandbox, credentials),
      await call(sandbox, "GET", "/api/v1/webhooks"),
      await call(sandbox, "POST", "/api/v1/webhooks"),
    ]) {
      expect(answer.status).toBe(429);
      const seconds = Number(answer.headers["retry-after"]);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    expect((await call(sandbox, "GET", "/openapi.json")).status).toBe(200);
  });

  test("is counted for each address", async () => {
    const sandbox = await startForTest({ rateLimit: 1, trustedProxies: ["127.0.0.1"] });
    const from = async (address: string) =>
      (await requestToken(sandbox, credentials, undefined, { "X-Forwarded-For": address })).status;
    expect([await from("192.0.2.1"), await from("192.0.2.2"), await from("192.0.2.1")]).toEqual([
      200, 200, 429,
    ]);
    expect([await from("2001:db8:1:2::1"), await from("2001:db8:1:2:ffff::9")]).toEqual([200, 429]);
    expect(await from("2001:db8:1:3::1")).toBe(200);
  });
});
