import { describe, expect, test } from "vitest";
import { requestToken, basic, list, tokenIn } from "@/lib/sandbox/testing/call";
import { client, startForTest } from "@/lib/sandbox/testing/start-for-test";

const rightCredentials = basic(client.client_id, client.client_secret);

describe("POST /api/oauth/token, sections 4.1 and 7.1", () => {
  test("correct credentials get a bearer token for the webhook calls", async () => {
    const sandbox = await startForTest();
    const answer = await requestToken(sandbox, rightCredentials);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 1800,
    });
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect((await list(sandbox, `Bearer ${tokenIn(answer)}`)).status).toBe(404);
  });

  test.each<[string, string | string[] | undefined]>([
    ["Missing credentials", undefined],
    ["Invalid credentials format: two headers", [rightCredentials, rightCredentials]],
    ["Invalid credentials: wrong secret", basic("partner", "wrong")],
    ["Invalid credentials: unknown client", basic("nobody", "s3cret")],
    ["Invalid credentials: a name that every object has", basic("__proto__", "s3cret")],
    ["User inactive", basic("sleeper", "s3cret")],
  ])("401 unauthorized: %s", async (_, authorization) => {
    const sandbox = await startForTest({
      clients: [client, { client_id: "sleeper", client_secret: "s3cret", active: false }],
    });
    const answer = await requestToken(sandbox, authorization);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body)).toEqual({ error: "unauthorized" });
    expect(answer.headers["www-authenticate"]).toBe('Basic realm="token", charset="UTF-8"');
  });

  const right = '{"grant_type":"client_credentials"}';
  test.each([
    ["another grant type", '{"grant_type":"password"}', "application/json"],
    ["another field", '{"grant_type":"client_credentials","scope":"all"}', "application/json"],
    ["no body", "", "application/json"],
    ["a form", "grant_type=client_credentials", "application/x-www-form-urlencoded"],
    ["JSON of another type", right, "application/x-www-form-urlencoded"],
    ["plain text", right, "text/plain"],
    ["parts", right, "multipart/form-data"],
  ])("400 Unsupported grant type: %s", async (_, body, type) => {
    const sandbox = await startForTest();
    const answer = await requestToken(sandbox, rightCredentials, body, { "Content-Type": type });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ error: "Unsupported grant type" });
  });

  test("413 for a body over 16 KiB", async () => {
    const sandbox = await startForTest();
    const answer = await requestToken(sandbox, rightCredentials, " ".repeat(16 * 1024 + 1));
    expect(answer.status).toBe(413);
  });
});

describe("the order of checks: address, then credentials, then grant type", () => {
  const wrongGrant = '{"grant_type":"password"}';
  const elsewhere = { ...client, allowed_ips: ["192.0.2.0/24"] };

  test.each([
    ["no credentials", undefined, 401],
    ["a wrong secret", basic(client.client_id, "wrong"), 401],
    ["right credentials", rightCredentials, 400],
  ])(
    "a wrong grant type and %s: 403 from a wrong address, else %d",
    async (_, authorization, status) => {
      const there = await startForTest({ clients: [elsewhere] });
      expect((await requestToken(there, authorization, wrongGrant)).status).toBe(403);
      const here = await startForTest();
      expect((await requestToken(here, authorization, wrongGrant)).status).toBe(status);
    },
  );

  test("an address that another client may call from, and no credentials: 401", async () => {
    const here = { client_id: "here", client_secret: "x", allowed_ips: ["127.0.0.1"] };
    const sandbox = await startForTest({ clients: [elsewhere, here] });
    expect((await requestToken(sandbox, undefined)).status).toBe(401);
    expect((await requestToken(sandbox, rightCredentials)).status).toBe(403);
  });
});

describe("the list of allowed addresses", () => {
  test.each([
    [undefined, 200],
    [["::ffff:127.0.0.0/104"], 200],
    [["127.0.0.77/24"], 200],
    [["::/0"], 403],
    [["127.0.0.2/31"], 403],
    [[], 403],
  ])("%j answers a caller from 127.0.0.1 with %d", async (allowed_ips, status) => {
    const sandbox = await startForTest({
      clients: [{ ...client, ...(allowed_ips && { allowed_ips }) }],
    });
    expect((await requestToken(sandbox, rightCredentials)).status).toBe(status);
  });

  const claims = {
    "X-Forwarded-For": "192.0.2.1",
    Forwarded: "for=192.0.2.1",
    "X-Real-IP": "192.0.2.1",
  };

  test("a caller that claims an allowed address in a header is not believed", async () => {
    const allowed = { ...client, allowed_ips: ["192.0.2.1"] };
    const sandbox = await startForTest({ clients: [allowed] });
    expect((await requestToken(sandbox, rightCredentials, undefined, claims)).status).toBe(403);
  });
});
