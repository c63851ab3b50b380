import { randomUUID } from "node:crypto";
import net from "node:net";
import { isCurrent } from "@/lib/endpoint-check/model/verdict";
import { checkRequestSchema, type CheckRequest } from "@/lib/endpoint-check/model/request";
import { checkEndpoint, lastChecks } from "@/lib/endpoint-check/testing/with-access";
import { db } from "@/lib/platform/database/open";
import { hostList } from "@/lib/platform/egress/address";
import { startReceivers, valuesOf, type Receiver } from "@/lib/platform/egress/testing/receivers";
import { env } from "@/lib/platform/env/env";
import { parseFields } from "@/lib/platform/http/route";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { log } from "@/lib/platform/log/log";
import { openSupportView } from "@/lib/support/testing/with-access";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { readConfiguration } from "@/lib/webhooks/testing/with-access";
import { erasePerson } from "@/lib/retention/server/erase-person";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import {
  history,
  inWorld,
  keep,
  nextPartner,
  partner,
  read,
  replace,
  save,
  world,
} from "@/lib/webhooks/testing/in-world";

vi.mock("next/headers", () => ({ cookies: async () => new Map() }));

const receivers = startReceivers();
const canary = "Bearer canary-77aa-not-a-secret";
const typedCanary = "Bearer canary-88bb-not-a-secret";
const context = { requestId: "q-1", clientAddress: "192.0.2.9" };

const rules = receivers.rules({
  deny: hostList(["denied.example.com"]),
  resolve: async (name) => (name === "inside.example.com" ? ["10.0.0.1"] : ["203.0.114.7"]),
});

let enforcing: Receiver;
let tests = 0;
inWorld({ as: "editor" });
afterAll(() => receivers.close());
afterEach(() => {
  env().endpointChecks = "manual";
  vi.restoreAllMocks();
});
beforeEach(async () => {
  tests += 1;
  enforcing = await receivers.enforcing(canary);
});

/** Each test has its own host, since hosts are counted. */
const urlOf = ({ port }: Receiver) => `https://test-${tests}.example.com:${port}/pix`;

function register(url: string, authorization?: string, type: WebhookType = "pix_in") {
  const body = { url, type, ...(authorization && { authorization }) };
  return partner.registerKnown(body);
}

const check = (request: CheckRequest = { type: "pix_in" }, given = rules) =>
  checkEndpoint(partner.id, partner.environment, request, context, async () => given);

const entries = () => history("endpoint_checked");

it("keeps no name of a person who is erased meanwhile (threat: a name that comes back)", async () => {
  const email = `${randomUUID()}@people.example`;
  const person = await partner.person("editor");
  await update("users", { email }, { id: person });
  signInAs(person);
  const erasing = await receivers.receiver((_got, response) => {
    void erasePerson(db(), email).then(() => response.writeHead(204).end());
  });
  await register(urlOf(erasing));
  await check();
  const { result_json } = await rowOf("endpoint_checks", { connection_id: partner.connectionId });
  expect(JSON.parse(result_json ?? "")).toMatchObject({ by: person });
});

describe("the registered address", () => {
  it("is sent one message without the value and one with it, and the verdict is in words", async () => {
    await register(urlOf(enforcing), canary);
    const result = await check();
    expect(result).toMatchObject({
      verdict: "accepts_only_with",
      typed: false,
      url: urlOf(enforcing),
      dns: { addresses: ["203.0.114.7"], failure: null },
      tls: { version: "TLSv1.3", certificate: { daysLeft: 70 }, failure: null },
      without: { status: 401 },
      with: { status: 204 },
      withheld: null,
      by: "The editor",
    });
    expect(valuesOf(enforcing)).toEqual([undefined, canary]);
    const [message] = enforcing.got;
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      event: "endpoint-check",
      partner: partner.id,
      environment: partner.environment,
      type: "pix_in",
    });
    expect(message?.headers["user-agent"]).toMatch(/^gancho\/\d/);
  });

  const { answering } = receivers;
  const demanding = (maxVersion: "TLSv1.2" | "TLSv1.3") =>
    receivers.receiver((_got, response) => response.writeHead(204).end(), {
      tls: { requestCert: true, rejectUnauthorized: true, ca: receivers.ca, maxVersion },
    });
  const login = { location: "https://sign-in.example.net/" };
  it.each<[string, () => Promise<Receiver>, string | undefined, string]>([
    ["accepts everything", () => answering(200), canary, "accepts_without"],
    ["accepts everything, and nothing is set", () => answering(202), undefined, "accepts_without"],
    ["refuses the value", () => answering(403, 401), canary, "refuses_with"],
    ["refuses everybody from here", () => answering(403), canary, "refuses_with"],
    [
      "checks the body, once the value is right",
      () => answering(401, 400),
      canary,
      "answers_differ",
    ],
    ["checks the body before the value", () => answering(422), canary, "answers_error"],
    ["fails at a body that it does not know", () => answering(401, 500), canary, "answers_error"],
    ["redirects who has the value", () => answering(401, 302, login), canary, "redirects"],
    ["demands a client certificate", () => demanding("TLSv1.3"), canary, "client_certificate"],
    ["demands one in TLS 1.2", () => demanding("TLSv1.2"), canary, "tls_failed"],
    ["demands one in HTTP, as nginx does", () => answering(400), canary, "answers_error"],
    ["asks for a value, and none is set", () => answering(401), undefined, "value_missing"],
    ["answers 404 without the value", () => answering(404, 204), canary, "accepts_only_with"],
    ["fails without the value", () => answering(500, 204), canary, "accepts_with"],
    ["is busy", () => answering(429, 204), canary, "accepts_with"],
    ["redirects", () => answering(302, 302, login), canary, "redirects"],
    ["fails", () => answering(500), canary, "answers_error"],
    ["is not there, and nothing is set", () => answering(404), undefined, "answers_error"],
    ["says nothing", () => receivers.receiver(() => undefined), canary, "no_answer"],
    ["ends TLS", () => receivers.plain((one) => one.destroy()), canary, "tls_failed"],
  ])("that %s gets that verdict", async (_what, receiver, value, verdict) => {
    await register(urlOf(await receiver()), value);
    expect(await check()).toMatchObject({ verdict });
  });

  it("that demands a client certificate is said to, and never to give no answer", async () => {
    const demanding = await receivers.receiver((_got, response) => response.end(), {
      tls: { requestCert: true, rejectUnauthorized: true, ca: receivers.ca },
    });
    await register(urlOf(demanding), canary);
    const failed = { status: null, failure: "client_certificate" };
    expect(await check()).toMatchObject({ without: failed, with: failed });
    expect(demanding.got).toEqual([]);
  });

  it("that lets no second connection in was sent no value, and the check says so", async () => {
    await register(urlOf(enforcing), canary);
    let connections = 0;
    const once = {
      ...rules,
      dial: () => net.connect(connections++ === 0 ? enforcing.port : 9, "127.0.0.1"),
    };
    expect(await check(undefined, once)).toMatchObject({
      verdict: "refuses_without",
      with: null,
      withheld: "not_reached",
    });
    expect((await entries()).at(-1)).toMatchObject({ detail: { sent: null } });
  });

  it("is not called where its name resolves to a private address", async () => {
    await register("https://inside.example.com/pix", canary);
    const dns = { addresses: null, failure: "not_public" };
    const nothing = { tls: null, without: null, with: null };
    expect(await check()).toMatchObject({ verdict: "not_allowed", dns, ...nothing });
  });

  it("is the one that the service holds now, with the value that it holds now", async () => {
    const before = enforcing;
    const now = await receivers.enforcing(typedCanary);
    await register(urlOf(before), canary);
    await readConfiguration(partner.id, partner.environment, context);
    await register(urlOf(now), typedCanary);
    expect(await check()).toMatchObject({ verdict: "accepts_only_with", url: urlOf(now) });
    expect(valuesOf(before)).toEqual([]);
    expect(valuesOf(now)).toEqual([undefined, typedCanary]);
  });

  it("gets the value of its own type only", async () => {
    const other = await receivers.enforcing(typedCanary);
    await register(urlOf(enforcing), canary, "pix_in");
    await register(urlOf(other), typedCanary, "pix_out");
    await check({ type: "pix_out" });
    expect(valuesOf(enforcing)).toEqual([]);
    expect(valuesOf(other)).toEqual([undefined, typedCanary]);
  });

  it("is reported as missing, or unreadable, and nothing is sent", async () => {
    expect(await codeOf(check())).toBe("nothing_registered");
    partner.setActive(false);
    partnerApi().forget(partner.connectionId);
    expect(await codeOf(check())).toBe("credentials_rejected");
    expect(await entries()).toEqual([]);
  });
});

describe("a value that may be a placeholder", () => {
  it("is not sent where Gancho did not send it last", async () => {
    await partner.register({ url: urlOf(enforcing), type: "pix_in", authorization: canary });
    const refused = { verdict: "refuses_without", withheld: "not_proven", with: null };
    expect(await check()).toMatchObject(refused);
    expect(valuesOf(enforcing)).toEqual([undefined]);
  });

  it("is not sent where it is a mask or two values", async () => {
    const url = urlOf(enforcing);
    await partner.register({ url, type: "pix_in", authorization: "Bearer ********" });
    expect(await check()).toMatchObject({ withheld: "not_shown", with: null });
    const two = { callbackUrl: url, authorization: null, authorizationConflict: true };
    const webhooks = [{ type: "pix_in" as const, ...two, events: null }];
    vi.spyOn(partnerApi(), "list").mockResolvedValue({ ok: true, unclear: false, webhooks });
    expect(await check()).toMatchObject({ withheld: "conflicting_values", with: null });
    expect(valuesOf(enforcing)).toEqual([undefined, undefined]);
  });
});

describe("an address that is only typed", () => {
  it("never gets the registered value, also where it is the registered address (threat: sending the secret elsewhere)", async () => {
    await register(urlOf(enforcing), canary);
    const other = await receivers.enforcing(canary);
    for (const url of [urlOf(other), urlOf(enforcing)])
      expect(await check({ type: "pix_in", typed: { url } })).toMatchObject({
        typed: true,
        verdict: "refuses_without",
        withheld: "typed",
        fingerprint: null,
      });
    expect([...valuesOf(other), ...valuesOf(enforcing)]).toEqual([undefined, undefined]);
  });

  it("gets the value that the person typed with it", async () => {
    const other = await receivers.enforcing(typedCanary);
    const typed = { url: urlOf(other), authorization: typedCanary };
    expect(await check({ type: "pix_in", typed })).toMatchObject({ verdict: "accepts_only_with" });
    expect(valuesOf(other)).toEqual([undefined, typedCanary]);
    expect(await entries()).toMatchObject([{ outcome: "accepts_only_with" }]);
  });

  it("is said to be the same since this check alone (threat: guessing what somebody else typed)", async () => {
    const typed = { url: urlOf(enforcing), authorization: typedCanary };
    await check({ type: "pix_in", typed });
    const again = await check({ type: "pix_in", typed });
    expect(again.since).toBe(again.at);
  });

  it("may have the longest possible host", async () => {
    const url = `https://${"a.".repeat(110)}denied.example.com/`;
    const denied = { verdict: "not_allowed", dns: { failure: "denied" } };
    expect(await check({ type: "pix_in", typed: { url } })).toMatchObject(denied);
  });

  it("is refused where it could not be saved either", () => {
    const schema = checkRequestSchema({ allowPrivateTargets: false });
    const refused = (typed: unknown) => {
      expect(() => parseFields(schema, { type: "pix_in", typed })).toThrow(ProblemError);
    };
    for (const url of ["http://hooks.example.com/", "https://10.0.0.1/", "https://localhost/", ""])
      refused({ url });
    refused({ url: "https://hooks.example.com/", authorization: "********" });
    refused({ url: "https://hooks.example.com/", authorization: "two\r\nlines" });
    refused({ authorization: typedCanary });
    expect(() => parseFields(schema, { type: "pix_in", url: "https://a.example/" })).toThrow();
  });
});

describe("permission", () => {
  it("is given to support within a view, without the value and for the registered address only", async () => {
    await register(urlOf(enforcing), canary);
    await check();
    signInAs(await world.staff("support"));
    expect(await codeOf(check())).toBe("support_view_required");
    await openSupportView(partner.id, { reason: "ticket 4711" }, context);
    expect(await check()).toMatchObject({ verdict: "refuses_without", withheld: "support" });
    expect(valuesOf(enforcing)).toEqual([undefined, canary, undefined]);
    const typed = { url: urlOf(enforcing) };
    expect(await codeOf(check({ type: "pix_in", typed }))).toBe("forbidden");
    // The partner's history has it, and the card keeps the check that says more.
    expect(await entries()).toMatchObject([
      { actor_name: "The editor", outcome: "accepts_only_with" },
      { actor_name: "The support", outcome: "refuses_without" },
    ]);
    const { checks } = await lastChecks(partner.id, partner.environment);
    expect(checks).toMatchObject([{ verdict: "accepts_only_with", by: "The editor" }]);
  });

  it("is checked again after the service answered (threat: a role that was lost meanwhile)", async () => {
    await register(urlOf(enforcing), canary);
    const real = partnerApi().list.bind(partnerApi());
    vi.spyOn(partnerApi(), "list").mockImplementation(async (...args) => {
      const answer = await real(...args);
      await db().deleteFrom("memberships").where("partner_id", "=", partner.id).execute();
      return answer;
    });
    expect(await codeOf(check())).toBe("not_found");
    expect(enforcing.connections()).toBe(0);
  });

  it("is given to nobody where checks are switched off", async () => {
    await register(urlOf(enforcing), canary);
    env().endpointChecks = "off";
    expect(await codeOf(check())).toBe("endpoint_checks_off");
    expect(enforcing.connections()).toBe(0);
  });

  /** The outcomes of successive checks of an address where nothing listens. */
  const many = async (times: number, host: string) => {
    const ends = [];
    const typed = { url: `https://${host}.denied.example.com/` };
    for (let n = 0; n < times; n += 1)
      ends.push(await codeOf(check({ type: "pix_in", typed }), "checked"));
    return ends;
  };
  const allowed = (times: number) => Array<string>(times).fill("checked");

  it("is limited for each person, and for a partner's people of one role together (threat: editors who keep their admins from checking)", async () => {
    signInAs(await partner.person("editor"));
    expect(await many(5, "a")).toEqual(allowed(5));
    expect(await many(6, "b")).toEqual([...allowed(5), "too_many_requests"]);
    signInAs(await partner.person("editor"));
    expect(await many(5, "c")).toEqual(allowed(5));
    expect(await many(5, "d")).toEqual(allowed(5));
    signInAs(await partner.person("editor"));
    expect(await many(1, "e")).toEqual(["too_many_requests"]);
    signInAs(await partner.person("admin"));
    expect(await many(1, "e")).toEqual(["checked"]);
  });

  it("is limited for each host, whoever checks it (threat: a server is flooded with checks)", async () => {
    const ends: string[] = [];
    for (let partners = 0; partners < 3; partners += 1) {
      await nextPartner();
      signInAs(await partner.person("admin"));
      ends.push(...(await many(8, "flooded")));
    }
    expect(ends).toEqual([...allowed(20), ...Array<string>(4).fill("too_many_requests")]);
  });
});

describe("what is stored", () => {
  it("is the last result of each type, which no longer holds when address or value change", async () => {
    await register(urlOf(enforcing), canary);
    await check();
    const cards = async () => {
      const { checks } = await lastChecks(partner.id, partner.environment);
      const { webhooks } = await readConfiguration(partner.id, partner.environment, context);
      return checks.map((each) => {
        const webhook = webhooks.find(({ type }) => type === each.type);
        return [each.verdict, webhook && isCurrent(each, webhook)];
      });
    };
    expect(await cards()).toEqual([["accepts_only_with", true]]);
    await register(urlOf(enforcing), typedCanary);
    expect(await cards()).toEqual([["accepts_only_with", false]]);
    await check();
    expect(await cards()).toEqual([["refuses_with", true]]);
    await register(`${urlOf(enforcing)}/moved`, typedCanary);
    expect(await cards()).toEqual([["refuses_with", false]]);
    const elsewhere = { base_url: "https://elsewhere.example" };
    await update("endpoint_checks", elsewhere, { connection_id: partner.connectionId });
    expect(await cards()).toEqual([]);
  });

  it("includes a check of a typed address once a later save registers the same, not where it already was registered (threat: guessing a value)", async () => {
    const url = urlOf(enforcing);
    const typed = { url, authorization: canary };
    const cards = async () => (await lastChecks(partner.id, partner.environment)).checks;
    await register(url, canary);
    await read();
    expect((await check({ type: "pix_in", typed })).fingerprint).toBeNull();
    expect(await cards()).toEqual([]);
    await register(`${url}/other`, typedCanary);
    expect(await save({ url, authorization: replace(canary) })).toMatchObject({ outcome: "saved" });
    const [counting] = await cards();
    expect(counting).toMatchObject({ verdict: "accepts_only_with", typed: true, by: "The editor" });
    const [webhook] = (await read()).webhooks;
    expect(counting && webhook && isCurrent(counting, webhook)).toBe(true);
    await save({ url: `${url}/moved`, authorization: keep });
    expect(await cards()).toEqual([]);
  });

  it("holds no value: not in the answer, the database, the history or the log (threat: a leak)", async () => {
    const lines: string[] = [];
    for (const level of ["info", "warn", "error"] as const)
      vi.spyOn(log, level).mockImplementation((...args: unknown[]) => {
        lines.push(JSON.stringify(args));
      });
    // A receiver that echoes what it was sent, wherever it can.
    const talkative = await receivers.receiver((got, response) =>
      response
        .writeHead(302, {
          location: `https://login.example.net/?${got.headers.authorization ?? ""}`,
          "x-told": got.headers.authorization ?? "",
        })
        .end(got.headers.authorization),
    );
    await register(urlOf(talkative), canary);
    const answers = [await check()];
    const typed = { url: urlOf(talkative), authorization: typedCanary };
    answers.push(await check({ type: "pix_in", typed }));
    expect(answers.map(({ with: answer }) => answer?.redirectHost)).toEqual([
      "login.example.net",
      "login.example.net",
    ]);
    expect(valuesOf(talkative)).toEqual([undefined, canary, undefined, typedCanary]);
    const stored = await db().selectFrom("endpoint_checks").selectAll().execute();
    const everything = JSON.stringify([answers, stored, await entries(), lines]);
    expect(everything).toContain("login.example.net");
    expect(everything).not.toMatch(/canary/);
  });
});
