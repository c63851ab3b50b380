import { METHODS } from "node:http";
import { describe, expect, test } from "vitest";
import contract from "@/lib/platform/payment-service/contract/openapi.json";
import { call } from "@/lib/sandbox/testing/call";
import { startForTest } from "@/lib/sandbox/testing/start-for-test";

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

test.each(["/", "/api/v1/webhooks/", "/api/v1/webhooks/pix_in", "/api/v2/webhooks"])(
  "%s is unknown: 404 in JSON, in other words than those of an empty list",
  async (path) => {
    const sandbox = await startForTest();
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await call(sandbox, method, path);
      expect(answer.status).toBe(404);
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(JSON.parse(answer.body)).toEqual({ error: "Not found" });
    }
  },
);

test("the contract's document is served to anybody", async () => {
  const sandbox = await startForTest();
  const answer = await call(sandbox, "GET", "/openapi.json");
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual(contract);
});
