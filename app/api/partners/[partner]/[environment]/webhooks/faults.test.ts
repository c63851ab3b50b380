import type { PlannedAnswer, Rule } from "@/e2e/faulty-upstream/plan";
import { problemCatalogue } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { describe, expect, it } from "vitest";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { GET, POST } from "./route";
import {
  answering,
  held,
  inWorld,
  listing,
  partner,
  plan,
  showing,
  upstream,
} from "@/lib/webhooks/testing/in-world";

const publicAddress = "203.0.113.7";
const before = "https://before.example/";
const url = "https://desired.example/";

process.env["GANCHO_PUBLIC_ADDRESS"] = publicAddress;
inWorld();

const origin = "http://localhost:3000";

type Reported = { httpStatus: number; header: string | null; body: Record<string, unknown> };

async function reported(answer: Response): Promise<Reported> {
  const body = (await answer.json()) as Record<string, unknown>;
  return { httpStatus: answer.status, header: answer.headers.get("x-request-id"), body };
}

const context = () => ({
  params: Promise.resolve({ partner: partner.id, environment: "sandbox" }),
});

const get = async () => reported(await GET(new Request(origin), context()));

async function post(revision: unknown = null, action = "replace") {
  const authorization = action === "replace" ? { action, value: "Bearer x" } : { action };
  const request = new Request(origin, {
    method: "POST",
    headers: { origin, "x-requested-by": "gancho", "content-type": "application/json" },
    body: JSON.stringify({ type: "both", url, revision, authorization }),
  });
  return reported(await POST(request, context()));
}

/** Checks what every problem of Gancho's contains. */
function expectProblem(
  { httpStatus, header, body }: Reported,
  code: ProblemCode,
  retryable: boolean,
) {
  const { status } = problemCatalogue[code];
  expect(body).toMatchObject({ code, status, retryable, requestId: header });
  expect(httpStatus).toBe(status);
  expect(header).toMatch(/^[0-9a-f]{16}$/);
  // Gancho never passes on the service's 401 or 403: the person is signed in and has permission.
  expect([401, 403]).not.toContain(httpStatus);
}

const refused = (status: number, headers: PlannedAnswer["headers"] = {}) =>
  listing({ status, headers, body: '{"error":"made up"}' });

it.each<[string, ProblemCode, boolean, object, Rule]>([
  ["token: 401", "credentials_rejected", false, {}, { ...refused(401), kind: "token" }],
  ["list: 403", "ip_not_allowed", false, { publicAddress }, refused(403)],
  [
    "list: 429",
    "upstream_rate_limited",
    true,
    { retryAfter: 90 },
    refused(429, { "retry-after": "90" }),
  ],
])(
  "%s before a write: the read says why, and the save that nothing was changed",
  async (_name, code, retryable, members, fault) => {
    await partner.register({ url: before });
    plan(fault);
    const read = await get();
    expectProblem(read, code, retryable);
    expect(read.body).toMatchObject(members);
    const saved = await post();
    expectProblem(saved, code, retryable);
    expect(saved.body).toMatchObject({ applied: "no", outcome: "not_sent" });
    expect(upstream.counts().register).toBe(0);
    expect(await held()).toEqual([before, before]);
  },
);

it("after a fault, shows the last confirmed state as stale, with the reason, the request ID and the IP address to allow", async () => {
  await partner.register({ url: before });
  await get();
  plan(refused(403));
  const { httpStatus, header, body: shown } = await get();
  expect(httpStatus).toBe(200);
  expect(shown).toMatchObject({
    stale: true,
    webhooks: [{ callbackUrl: before }, { callbackUrl: before }],
  });
  const allowed = { code: "ip_not_allowed", detail: "made up", publicAddress };
  expect(shown["staleReason"]).toEqual({ ...allowed, requestId: header });
});

describe("a fault of a write", () => {
  const results = [{ outcome: "saved" }, { outcome: "unclear" }];
  it.each([
    ["422", "upstream_rejected", answering(422), { applied: "unknown", outcome: "not_sent" }],
    [
      "500 for one of two types",
      "partly_saved",
      { ...answering(500), from: 2 },
      { applied: "unknown", outcome: "unclear", results },
    ],
  ] as const)("%s", async (_name, code, fault, says) => {
    for (const type of webhookTypes)
      await partner.registerKnown({ url: before, type, authorization: type });
    plan(fault);
    const saved = await post((await get()).body["revision"], "keep");
    expectProblem(saved, code, false);
    expect(saved.body).toMatchObject(says);
    expect(await held()).toEqual([says.outcome === "not_sent" ? before : url, before]);
  });

  it("an acknowledged save that the list does not show is accepted: neither a problem nor a success yet", async () => {
    plan(answering(200));
    const { httpStatus, body: result } = await post();
    expect(httpStatus).toBe(202);
    expect(result).toMatchObject({ outcome: "accepted" });
  });
});

describe("states that need a person's decision", () => {
  it.each<[string, object, object, string, ProblemCode, object]>([
    [
      "the same type twice: both are shown, and overwriting one of them needs confirmation",
      { type: "pix_in", callback_url: url },
      { webhooks: [{ type: "pix_in", duplicate: true }], unrecognised: [{ callbackUrl: url }] },
      "replace",
      "confirmation_required",
      { reason: "duplicate" },
    ],
    [
      "two different Authorization values: neither is kept",
      { type: "pix_out", callback_url: url, auth_header: "Bearer a", authorization: "Bearer b" },
      { webhooks: [{}, { type: "pix_out", authorization: { set: true, conflict: true } }] },
      "keep",
      "invalid_fields",
      { errors: [{ path: "authorization" }] },
    ],
  ])("%s", async (_name, second, shown, action, code, members) => {
    const first = { type: "pix_in", callback_url: before, future: {} };
    plan(showing([first, second]));
    const read = await get();
    expect(read).toMatchObject({ httpStatus: 200, body: shown });
    const asked = await post(read.body["revision"], action);
    expectProblem(asked, code, false);
    expect(asked.body).toMatchObject({ applied: "no", ...members });
    expect(upstream.counts().register).toBe(0);
  });

  it("items of an unknown type, or with invalid events: shown, and not written", async () => {
    const items = [{ callback_url: before }, { type: "pix_refund", callback_url: url, events: 7 }];
    plan(showing(items));
    expect(await get()).toMatchObject({
      httpStatus: 200,
      body: {
        webhooks: [],
        unrecognised: [
          { type: null, callbackUrl: before, events: null },
          { type: "pix_refund", callbackUrl: url, events: null },
        ],
      },
    });
  });

  it("a stale revision: the answer has the current state, and nothing is sent", async () => {
    await partner.register({ url: before });
    const late = await post(null);
    expectProblem(late, "stale_revision", false);
    expect(late.body).toMatchObject({
      applied: "no",
      configuration: { webhooks: [{ callbackUrl: before }, { callbackUrl: before }] },
    });
    expect(upstream.counts().register).toBe(0);
  });
});
