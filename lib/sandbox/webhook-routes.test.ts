import { describe, expect, test } from "vitest";
import { bearerOf, call, list, register } from "@/lib/sandbox/testing/call";
import { client, startForTest } from "@/lib/sandbox/testing/start-for-test";
import type { Sandbox, SandboxOptions } from "./start";

const url = "https://partner.example/hook";
const events = {
  pix_in: ["collection.paid"],
  pix_out: ["transfer.completed", "transfer.failed", "transfer.refunded"],
};

async function signedIn(options?: SandboxOptions): Promise<[Sandbox, string]> {
  const sandbox = await startForTest(options);
  return [sandbox, await bearerOf(sandbox, client.client_id, client.client_secret)];
}

async function registered(sandbox: Sandbox, bearer: string): Promise<unknown> {
  const { status, body } = await list(sandbox, bearer);
  expect(status).toBe(200);
  return JSON.parse(body).webhooks;
}

describe("GET /api/v1/webhooks, sections 4.2 and 7.2", () => {
  test("404 Configuration not found, while there is none", async () => {
    const [sandbox, bearer] = await signedIn();
    const answer = await list(sandbox, bearer);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toEqual({ error: "Configuration not found" });
  });

  test.each([
    ["auth_header", { auth_header: "A" }],
    ["authorization", { authorization: "A" }],
    ["both", { auth_header: "A", authorization: "A" }],
  ] as const)(
    "lists the value as %s, as configured, and leaves out a value that is not set",
    async (authField, named) => {
      const [sandbox, bearer] = await signedIn({ authField });
      await register(sandbox, bearer, { url, type: "pix_out" });
      await register(sandbox, bearer, { url, type: "pix_in", authorization: "A" });
      expect(await registered(sandbox, bearer)).toEqual([
        { type: "pix_in", callback_url: url, ...named, events: events.pix_in },
        { type: "pix_out", callback_url: url, events: events.pix_out },
      ]);
    },
  );

  test("a client sees only what it registered", async () => {
    const other = { client_id: "other", client_secret: "x" };
    const [sandbox, bearer] = await signedIn({ clients: [client, other] });
    await register(sandbox, bearer, { url });
    const others = await bearerOf(sandbox, other.client_id, other.client_secret);
    expect((await list(sandbox, others)).status).toBe(404);
    expect((await register(sandbox, others, { url: `${url}/other` })).status).toBe(201);
    expect(await registered(sandbox, bearer)).toMatchObject([
      { callback_url: url },
      { callback_url: url },
    ]);
  });
});

describe("POST /api/v1/webhooks, section 4.3", () => {
  test("201 when created, 200 when overwritten, both with a message", async () => {
    const [sandbox, bearer] = await signedIn();
    const created = await register(sandbox, bearer, { url, type: "pix_in" });
    const overwritten = await register(sandbox, bearer, { url: `${url}/2`, type: "pix_in" });
    expect([created.status, overwritten.status]).toEqual([201, 200]);
    expect(JSON.parse(created.body)).toEqual({ message: "Operation succeeded" });
    expect(overwritten.body).toBe(created.body);
    expect(await registered(sandbox, bearer)).toMatchObject([{ callback_url: `${url}/2` }]);
  });

  test.each([
    ["left out", {}],
    ["pix_in, pix_out", { type: "pix_in, pix_out" }],
    ["pix_in,pix_out", { type: "pix_in,pix_out" }],
  ])("type %s registers both: 201 while one of them is new, then 200", async (_, type) => {
    const [sandbox, bearer] = await signedIn();
    await register(sandbox, bearer, { url: `${url}/old`, type: "pix_out" });
    expect((await register(sandbox, bearer, { url, ...type })).status).toBe(201);
    expect((await register(sandbox, bearer, { url, ...type })).status).toBe(200);
    expect(await registered(sandbox, bearer)).toMatchObject([
      { type: "pix_in", callback_url: url },
      { type: "pix_out", callback_url: url },
    ]);
  });

  test("values come back as they were sent, to the last character", async () => {
    const [sandbox, bearer] = await signedIn();
    const longest = {
      url: `https://A.Example:8443/${"%7e!$&'()*+,;=:@?/".repeat(20)}`.slice(0, 255),
      authorization: `! "#$%&'()*+,-./0:;<=>?@A[\\]^_\`a{|}~${"x".repeat(100)}`.slice(0, 100),
    };
    expect((await register(sandbox, bearer, { ...longest, type: "pix_in" })).status).toBe(201);
    expect(await registered(sandbox, bearer)).toMatchObject([
      { callback_url: longest.url, auth_header: longest.authorization },
    ]);
  });

  test.each([
    ["url without https", { url: "http://a.example" }],
    ["no url", {}],
    ["type in another order", { url, type: "pix_out, pix_in" }],
    ["type a list", { url, type: ["pix_in", "pix_out"] }],
    ["type a name that every object has", { url, type: "toString" }],
    ["authorization empty", { url, authorization: "" }],
    ["authorization with a space at its end", { url, authorization: "hidden-value " }],
    ["an unknown field", { url, active: true }],
    ["a list", [{ url }]],
  ])("400 and nothing changed: %s", async (_, body) => {
    const [sandbox, bearer] = await signedIn();
    const answer = await register(sandbox, bearer, body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/./) });
    expect(answer.body).not.toContain("hidden-value");
    expect((await list(sandbox, bearer)).status).toBe(404);
  });

  const send = (
    sandbox: Sandbox,
    bearer: string,
    body: string | Uint8Array | readonly string[],
    headers: Record<string, string> = {},
  ) =>
    call(sandbox, "POST", "/api/v1/webhooks", {
      headers: { Authorization: bearer, ...headers },
      body,
    });

  const json = { "Content-Type": "application/json" };
  const ofType = (type: string) => ({ "Content-Type": type });
  const right = `{"url":"${url}"}`;
  const limit = 16 * 1024;
  const invalid = [`{"url":"${url}`, Buffer.from([0xff]), '"}'].map((part) => Buffer.from(part));

  test.each<[number, string, Parameters<typeof send>[2], Record<string, string>]>([
    [400, "no JSON", "{", json],
    [400, "a key twice", `{"url":"${url}","url":"https://other.example"}`, json],
    [400, "invalid UTF-8", Buffer.concat(invalid), json],
    [400, "deep nesting", "[".repeat(8_000) + "]".repeat(8_000), json],
    [413, "one byte too many", right.padEnd(limit + 1), json],
    [413, "the same in chunks", [right.padEnd(limit / 2), " ".repeat(limit / 2 + 1)], json],
    [415, "plain text", right, ofType("text/plain")],
    [415, "another type of JSON", right, ofType("application/problem+json")],
    [415, "another charset", right, ofType("application/json; charset=iso-8859-1")],
    [415, "an empty content type", right, ofType("")],
    [415, "no content type", right, {}],
    [415, "compression", right, { ...json, "Content-Encoding": "gzip" }],
  ])("%d and nothing changed: a body with %s", async (status, _, body, headers) => {
    const [sandbox, bearer] = await signedIn();
    expect((await send(sandbox, bearer, body, headers)).status).toBe(status);
    expect((await list(sandbox, bearer)).status).toBe(404);
  });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    'APPLICATION/JSON;CHARSET="UTF-8"',
  ])("the content type %j is JSON", async (type) => {
    const [sandbox, bearer] = await signedIn();
    expect((await send(sandbox, bearer, right, ofType(type))).status).toBe(201);
  });
});

describe("who may call, section 5", () => {
  async function refusals(sandbox: Sandbox, headers: Record<string, string>) {
    const listed = await call(sandbox, "GET", "/api/v1/webhooks", { headers });
    const posted = await call(sandbox, "POST", "/api/v1/webhooks", {
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ url }),
    });
    return [listed, posted];
  }

  async function expectRefused(sandbox: Sandbox, headers: Record<string, string>) {
    for (const answer of await refusals(sandbox, headers)) {
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toEqual({ error: "unauthorized" });
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
  }

  test("401 without a token, or with a malformed one", async () => {
    const sandbox = await startForTest();
    await expectRefused(sandbox, {});
    for (const Authorization of ["Bearer", "Bearer a.b.c", "Token x"])
      await expectRefused(sandbox, { Authorization });
  });

  test("401 from the second in which the token expires", async () => {
    let now = 1_000_000_000_000;
    const [sandbox, bearer] = await signedIn({ tokenTtl: 30, now: () => now });
    now += 29_000;
    expect((await list(sandbox, bearer)).status).toBe(404);
    now += 1_000;
    await expectRefused(sandbox, { Authorization: bearer });
  });

  test("401 for a token of a client that has become inactive since", async () => {
    const [sandbox, bearer] = await signedIn();
    sandbox.setClients([{ ...client, active: false }]);
    await expectRefused(sandbox, { Authorization: bearer });
  });

  test("403 from an address that is not on the client's list, even with a token", async () => {
    const [sandbox, bearer] = await signedIn();
    sandbox.setClients([{ ...client, allowed_ips: ["192.0.2.0/24"] }]);
    for (const answer of await refusals(sandbox, { Authorization: bearer })) {
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body)).toEqual({ error: "IP not whitelisted" });
    }
  });

  test("a caller without a token does not learn what else is wrong with the request", async () => {
    const sandbox = await startForTest();
    const answer = await call(sandbox, "POST", "/api/v1/webhooks", {
      headers: { "Content-Type": "text/plain" },
      body: "x".repeat(20_000),
    });
    expect(answer.status).toBe(401);
  });
});
