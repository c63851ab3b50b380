import { configure } from "@/lib/platform/database/testing/configure";
import { DatabaseUnavailable, recordWrite } from "@/lib/platform/database/unavailable";
import { clientAddressHeader, signedInAsHeader } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import { requestNote, withRequestNote, type RequestNote } from "@/lib/platform/log/request-note";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { describe, expect, it, vi } from "vitest";
import { read, routes, write, emptyBody } from "./route";

vi.mock("@/lib/platform/auth/sessions/read-session", async () => {
  const { sessionInTest, signedInInTest } = await import("@/lib/webhooks/testing/signed-in");
  return { readSession: vi.fn(sessionInTest), readSignedIn: signedInInTest };
});

await configure({ GANCHO_URL: "https://gancho.example", DATABASE_URL: "file:never-opened.db" });

const context = { params: Promise.resolve({}) };

function send(
  handlers: ReturnType<typeof routes>,
  method: "GET" | "HEAD" | "POST" | "PUT",
  init: RequestInit = {},
) {
  const request = new Request("https://gancho.example/api/x", { method, ...init });
  return handlers[method](request, context);
}

/** Of a request that a page of ours sends with a JSON body. */
const own = {
  origin: "https://gancho.example",
  "x-requested-by": "gancho",
  "content-type": "application/json",
};

const open = async () => undefined;
const answering = (handle: () => Promise<Response>) =>
  routes("x", { GET: read({ access: open, handle }) });
const failing = (thrown: unknown) => answering(() => Promise.reject(thrown));

type Steps = { access?: () => Promise<unknown>; handle?: () => Promise<Response> };
const fine = async () => Response.json({});

/** A mutation with these steps, as a page of ours sends it. */
function change({ access = open, handle = fine }: Steps, init: RequestInit = {}) {
  const writing = routes("x", { POST: write({ access, body: () => emptyBody, handle }) });
  return send(writing, "POST", { headers: own, body: "{}", ...init });
}

it("logs each request and where it came from under the answer's id", async () => {
  const logged = vi.spyOn(log, "info");
  const answer = await send(answering(fine), "GET", {
    headers: { [clientAddressHeader]: "192.0.2.7" },
  });
  expect(logged).toHaveBeenLastCalledWith(
    expect.objectContaining({
      requestId: answer.headers.get("x-request-id"),
      method: "GET",
      path: "/api/x",
      status: 200,
      clientAddress: "192.0.2.7",
    }),
    "request",
  );
});

it("reveals nothing internal where something unexpected failed, and logs it under the answer's id (threat: learning from failures)", async () => {
  const logged = vi.spyOn(log, "error");
  for (const thrown of [
    new Error("select secret from users at /srv/gancho/lib/platform/database/open.ts:3"),
    Object.assign(new Error("no"), { code: "signed_out", status: 200 }),
    "secret",
    undefined,
  ]) {
    const answer = await send(failing(thrown), "GET");
    const body = await answer.text();
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    const requestId = answer.headers.get("x-request-id");
    expect(JSON.parse(body)).toMatchObject({ code: "internal_error", requestId });
    expect(body).not.toMatch(/secret|srv|stack|Error:/);
    expect(logged).toHaveBeenLastCalledWith({ requestId, err: thrown }, "unexpected failure");
  }
});

it("lets no cache keep an answer, whatever it is", async () => {
  const answers = [
    await send(answering(fine), "GET"),
    await send(answering(fine), "HEAD"),
    await send(answering(fine), "PUT"),
    await send(failing(new ProblemError("not_found")), "GET"),
    await send(failing(new Error("no")), "GET"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 405, 404, 500]);
  for (const { headers } of answers) expect(headers.get("cache-control")).toBe("no-store");
  expect(answers[2]?.headers.get("allow")).toBe("GET, HEAD");
});

it("checks where a mutation comes from, then reads its body, then who sends it, and only then what it says", async () => {
  const steps: string[] = [];
  const writing = routes("x", {
    POST: write({
      access: async () => {
        steps.push("access");
      },
      body: () => {
        steps.push("body");
        return emptyBody;
      },
      handle: fine,
    }),
  });
  const { origin, "x-requested-by": by, ...json } = own;
  for (const [headers, body, status, taken] of [
    [{ ...json, origin: "null" }, "{}", 403, []],
    [{ origin, "x-requested-by": by }, "{}", 415, []],
    [own, '{"__proto__":{}}', 400, ["access"]],
    [own, "{}", 200, ["access", "body"]],
  ] as const) {
    const answer = await send(writing, "POST", { headers, body });
    expect([answer.status, steps.splice(0)]).toEqual([status, taken]);
  }
});

it("checks access only once the whole body has arrived (threat: a body held back until the session has ended)", async () => {
  let session: "open" | "ended" = "open";
  const handle = vi.fn(fine);
  const access = async () => {
    if (session === "ended") throw new ProblemError("signed_out", { applied: "no" });
  };
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const answer = change({ access, handle }, { body: readable, duplex: "half" } as RequestInit);
  const body = writable.getWriter();
  await body.write(Buffer.from("{"));
  session = "ended";
  await body.write(Buffer.from("}"));
  await body.close();
  expect((await answer).status).toBe(401);
  expect(handle).not.toHaveBeenCalled();
});

it("changes nothing for a page that was opened as another person, whatever the signed-in one may do (threat: a save in another's name)", async () => {
  const handle = vi.fn(fine);
  const sent = async (access: () => Promise<unknown>, headers: Record<string, string>) => {
    const note = { requestId: "r", userId: null } as RequestNote;
    const answer = await withRequestNote(note, () =>
      change({ access, handle }, { headers: { ...own, ...headers } }),
    );
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };
  const asBruno = async () => {
    const note = requestNote();
    if (note) note.userId = "bruno";
  };
  const refused = async () => {
    await asBruno();
    throw new ProblemError("not_found", { applied: "no" });
  };
  const ofAna = { [signedInAsHeader]: "ana" };
  expect(await sent(asBruno, ofAna)).toEqual([409, "signed_in_as_another"]);
  expect(await sent(refused, ofAna)).toEqual([409, "signed_in_as_another"]);
  expect(handle).not.toHaveBeenCalled();
  // A script names nobody, and a public route knows nobody.
  expect(await sent(asBruno, { [signedInAsHeader]: "bruno" })).toEqual([200, undefined]);
  expect(await sent(asBruno, {})).toEqual([200, undefined]);
  expect(await sent(open, ofAna)).toEqual([200, undefined]);
});

describe("while the database is unavailable", () => {
  const away = () => Promise.reject(new DatabaseUnavailable("no_answer", "secret at 10.0.0.7"));

  it("answers 503 with Retry-After, and reveals nothing internal", async () => {
    const answer = await send(answering(away), "GET");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    const body = await answer.text();
    expect(JSON.parse(body)).toMatchObject({ code: "database_unavailable", retryable: true });
    expect(JSON.parse(body)).not.toHaveProperty("applied");
    expect(body).not.toMatch(/secret|10\.0/);
  });

  it("says of a write whether anything may have been changed (threat: trying again what was done)", async () => {
    const applied = async (steps: Steps) =>
      ((await (await change(steps)).json()) as { applied?: string }).applied;
    const halfDone = async () => {
      recordWrite();
      return away();
    };
    expect(await applied({ access: away })).toBe("no");
    expect(await applied({ handle: away })).toBe("no");
    expect(await applied({ handle: halfDone })).toBe("unknown");
    // Another request's writes do not count for this one.
    const both = [halfDone, away].map((handle) => applied({ handle }));
    expect(await Promise.all(both)).toEqual(["unknown", "no"]);
  });
});

describe("a refusal", () => {
  const refusing = (code: ProblemCode) =>
    routes("x", {
      GET: read({ access: () => Promise.reject(new ProblemError(code)), handle: vi.fn() }),
      POST: write({ access: open, body: () => emptyBody, handle: vi.fn() }),
    });
  const from = { "x-gancho-client-address": "192.0.2.7", cookie: "gancho.session=a-secret" };

  it("is logged with its request, person and address (threat: probing unseen)", async () => {
    signInAs("ana");
    const warned = vi.spyOn(log, "warn");
    for (const code of [
      "forbidden",
      "not_found",
      "too_many_requests",
      "support_view_required",
    ] as const) {
      const answer = await send(refusing(code), "GET", { headers: from });
      expect(warned).toHaveBeenLastCalledWith(
        {
          requestId: answer.headers.get("x-request-id"),
          method: "GET",
          path: "/api/x",
          status: answer.status,
          ms: expect.any(Number),
          code,
          userId: "ana",
          clientAddress: "192.0.2.7",
        },
        "refused",
      );
    }
    await send(refusing("forbidden"), "POST", {
      headers: { ...from, origin: "https://x.example" },
    });
    expect(warned.mock.lastCall?.[0]).toMatchObject({ code: "wrong_origin", userId: "ana" });
  });

  it("of a signed-out caller is logged too, and is no warning", async () => {
    signInAs(null);
    const [said, warned] = [vi.spyOn(log, "info"), vi.spyOn(log, "warn")];
    warned.mockClear();
    await send(refusing("signed_out"), "GET", { headers: from });
    expect(said.mock.lastCall?.[0]).toMatchObject({
      code: "signed_out",
      status: 401,
      userId: null,
      clientAddress: "192.0.2.7",
    });
    expect(warned).not.toHaveBeenCalled();
  });

  it("is one line of bounded length, without what the caller sent besides the address (threat: secrets and floods in the log)", async () => {
    signInAs(null);
    const warned = vi.spyOn(log, "warn").mockClear();
    const address = `https://gancho.example/api/${"p".repeat(16_000)}?token=a-secret`;
    await refusing("not_found").GET(new Request(address, { headers: from }), context);
    expect(warned).toHaveBeenCalledTimes(1);
    const line = JSON.stringify(warned.mock.lastCall);
    expect(line.length).toBeLessThan(400);
    expect(line).not.toContain("a-secret");
  });

  it("is answered and logged even where the caller cannot be determined", async () => {
    const warned = vi.spyOn(log, "warn");
    vi.mocked(readSession).mockRejectedValueOnce(new Error("no database"));
    const answer = await send(refusing("not_found"), "GET", { headers: from });
    expect(answer.status).toBe(404);
    expect(warned.mock.lastCall?.[0]).toMatchObject({ code: "not_found", userId: null });
  });
});
