import { mail, operators, withMail } from "@/lib/alerts/testing/outbox";
import { sendAll } from "@/lib/alerts/testing/send-all";
import { checkEndpoint, lastChecks, switchDaily } from "@/lib/endpoint-check/testing/with-access";
import { historyOf } from "@/lib/history/testing/people-entries";
import { db } from "@/lib/platform/database/open";
import type { EgressRules } from "@/lib/platform/egress/egress";
import { startReceivers, valuesOf, type Receiver } from "@/lib/platform/egress/testing/receivers";
import { env } from "@/lib/platform/env/env";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { readMail } from "@/lib/tools/mail-server";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { readConfiguration } from "@/lib/webhooks/testing/with-access";
import { forgotten, inWorld, partner, plan, replace, save } from "@/lib/webhooks/testing/in-world";
import net from "node:net";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkDue } from "./daily";

const receivers = startReceivers();
const environment = "sandbox";
const canary = "Bearer canary-55dd-not-a-secret";
const context = { requestId: "q-1", clientAddress: "192.0.2.9" };
/** Where every address leads. */
let listening = 0;
const rules = receivers.rules({
  dial: () => net.connect({ host: "127.0.0.1", port: listening }),
});

let good: Receiver;
let url: string;
let tests = 0;

withMail("operators");
inWorld({ environment });
afterAll(() => receivers.close());
afterEach(() => update("endpoint_checks", { daily_due_at: null }));
beforeEach(async () => {
  tests += 1;
  good = await receivers.enforcing(canary);
  listening = good.port;
  // Each test has its own host, since hosts are counted.
  url = `https://test-${tests}.example.com/pix`;
  await partner.registerKnown({ url, type: "pix_in", authorization: canary });
});

const daily = (on: boolean) =>
  switchDaily(partner.id, environment, { type: "pix_in", on }, context);

/** Advances to the time when the next check is due: ten minutes after the last one, or the next day. */
async function check(): Promise<number> {
  await db()
    .updateTable("endpoint_checks")
    .set((eb) => ({
      daily_due_at: 1,
      checked_at: eb("checked_at", "-", 10 * 60_000),
      same_since: eb("same_since", "-", 10 * 60_000),
    }))
    .where("connection_id", "=", partner.connectionId)
    .where("daily_due_at", "is not", null)
    .execute();
  return run(async () => rules);
}

const run = (rulesOf: () => Promise<EgressRules>, isElected = async () => true) =>
  checkDue({ isElected, environments: [environment], rulesOf });

const byHand = (given = rules) =>
  checkEndpoint(partner.id, environment, { type: "pix_in" }, context, async () => given);

/** The alerts since the last call, in one word each; the operators' webhook and the mails say the same. */
async function newAlerts(): Promise<string[]> {
  await sendAll();
  const mails = mail.mails.splice(0).map(readMail);
  const news = operators.received.splice(0).map(({ payload }) => {
    const { type, data } = payload as { type: string; data: { news?: string; days?: number } };
    const { news: which, days } = data;
    return `${type} ${which ?? days ?? ""}`.trim();
  });
  expect(mails).toHaveLength(news.length);
  for (const { text } of mails) {
    expect(text).toMatch(/checks the endpoint|daily check|expires|treat it as an attack/);
    expect(text).toMatch(/agora testa|teste diário|vence|trate como ataque/);
    expect(text).not.toContain(canary);
  }
  return news;
}

const { answering } = receivers;
async function nowListens(receiver: Promise<Receiver>): Promise<void> {
  listening = (await receiver).port;
}
const certificate = (toDay: number) =>
  receivers.authority.issue({ names: ["*.example.com"], toDay });

async function first(): Promise<void> {
  await daily(true);
  await check();
  expect(await newAlerts()).toEqual(["endpoint_result first"]);
}

describe("what is mailed", () => {
  it("is the first result, in both languages, and nothing while it stays the same", async () => {
    await first();
    await check();
    await check();
    expect(await newAlerts()).toEqual([]);
    const once = [undefined, canary];
    expect(valuesOf(good)).toEqual([...once, ...once, ...once]);
  });

  it("is that something else was found after the second check, and after two more that it is as before", async () => {
    await first();
    await nowListens(answering(403, 401));
    await check();
    expect(await newAlerts()).toEqual([]);
    await check();
    expect(await newAlerts()).toEqual(["endpoint_result changed"]);
    await check();
    expect(await newAlerts()).toEqual([]);
    listening = good.port;
    await check();
    expect(await newAlerts()).toEqual([]);
    await check();
    expect(await newAlerts()).toEqual(["endpoint_result changed"]);
  });

  it("is that the certificate of the next address expires, whatever was mailed of the one before", async () => {
    await first();
    const expiresIn = async (days: number) => {
      await nowListens(receivers.enforcing(canary, { certificate: certificate(days + 0.5) }));
      await check();
      return newAlerts();
    };
    expect(await expiresIn(6)).toEqual(["certificate_ends 6"]);
    await save({ url: `${url}/moved`, authorization: replace(canary) });
    expect(await expiresIn(5)).toEqual(["certificate_ends 5"]);
    await save({ url: `${url}/moved-again`, authorization: replace(canary) });
    await byHand();
    expect(await expiresIn(4)).toEqual(["certificate_ends 4"]);
    const other = "Bearer canary-77ff-not-a-secret";
    await save({ url: `${url}/moved-again`, authorization: replace(other) });
    // The same certificate, with another value.
    expect(await expiresIn(3)).toEqual([]);
  });

  it.each([0, 1])(
    "is nothing where Gancho's own proxy failed after %i messages, which says nothing about the endpoint",
    async (messages) => {
      await first();
      const works = await receivers.plain((socket) =>
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          const onward = net.connect(good.port, "127.0.0.1").on("error", () => undefined);
          socket.pipe(onward).pipe(socket);
        }),
      );
      const proxy = { host: "127.0.0.1", port: 9, authorization: null };
      const broken = () => {
        let left = messages;
        const dial = () => net.connect(left-- > 0 ? works.port : proxy.port, proxy.host);
        return receivers.rules({ proxy, dial });
      };
      const due = { daily_due_at: 1 };
      for (let times = 0; times < 2; times += 1) {
        await update("endpoint_checks", due, { connection_id: partner.connectionId });
        await run(async () => broken());
      }
      expect(await newAlerts()).toEqual([]);
      const { checks } = await lastChecks(partner.id, environment);
      expect(checks).toMatchObject([{ verdict: "accepts_only_with" }]);
      const failed = { code: "egress_proxy_failed" };
      await expect(byHand(broken())).rejects.toMatchObject(failed);
      const sent = Array<undefined>(3 * messages).fill(undefined);
      expect(valuesOf(good)).toEqual([undefined, canary, ...sent]);
    },
  );

  it("is what is found after a clock that was ahead was set back", async () => {
    await first();
    const ahead = databaseTime() + 365 * 86_400_000;
    const then = { daily_due_at: ahead, checked_at: ahead, same_since: ahead };
    await update("endpoint_checks", then, { connection_id: partner.connectionId });
    await nowListens(answering(200));
    expect(await run(async () => rules)).toBe(1);
    const { checks } = await lastChecks(partner.id, environment);
    expect(checks).toMatchObject([{ verdict: "accepts_without" }]);
    await check();
    expect(await newAlerts()).toEqual(["endpoint_result changed"]);
  });

  it("is nothing once it is switched off, and the first result again when it is switched on again", async () => {
    await first();
    await daily(false);
    expect(await check()).toBe(0);
    await daily(true);
    await check();
    expect(await newAlerts()).toEqual(["endpoint_result first"]);
  });
});

describe("where the value goes", () => {
  it("is nowhere while an outside change is not acknowledged (threat: the secret follows a moved address)", async () => {
    await first();
    const thief = await receivers.receiver((_got, response) => response.writeHead(200).end());
    listening = thief.port;
    const stolen = { url: "https://thief.example.com/", type: "pix_in" as const };
    await partner.register({ ...stolen, authorization: canary });
    // Before and after a reading has found it.
    await check();
    await readConfiguration(partner.id, environment, context);
    await check();
    expect(thief.connections()).toBe(0);
    expect(await newAlerts()).toEqual(["changed_outside"]);
    expect(valuesOf(good)).toEqual([undefined, canary]);
  });

  it("is nowhere while a save may still take effect", async () => {
    await first();
    plan(forgotten);
    const { outcome } = await save({ url: `${url}/moved`, authorization: replace(canary) });
    expect(outcome).toBe("accepted");
    await check();
    expect(valuesOf(good)).toEqual([undefined, canary]);
  });

  it("is the address that was saved last, with its value", async () => {
    await first();
    const other = "Bearer canary-66ee-not-a-secret";
    const now = await receivers.enforcing(other);
    await save({ url: `${url}/moved`, authorization: replace(other) });
    listening = now.port;
    await check();
    expect(now.got.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/pix/moved", undefined],
      ["/pix/moved", other],
    ]);
  });
});

describe("switching it", () => {
  it("is for admins only, and the history has one entry for each change", async () => {
    await daily(true);
    await daily(true);
    await daily(false);
    for (const role of ["editor", "viewer"] as const) {
      signInAs(await partner.person(role));
      await expect(daily(true)).rejects.toMatchObject({ code: "forbidden" });
    }
    const entries = await historyOf(partner.id, "daily_check_switched");
    expect(entries.map(({ outcome }) => outcome)).toEqual(["on", "off"]);
  });

  it("on is refused where only checks by hand are allowed", async () => {
    env().endpointChecks = "manual";
    await expect(daily(true)).rejects.toMatchObject({ code: "endpoint_checks_off" });
    env().endpointChecks = "daily";
  });

  it("on makes the card show since when the verdict holds, also after a check by hand", async () => {
    await first();
    await check();
    await byHand();
    const { checks, daily: types } = await lastChecks(partner.id, environment);
    expect(types).toEqual(["pix_in"]);
    const [found] = checks;
    const forMs = Date.parse(found?.at ?? "") - Date.parse(found?.since ?? "");
    expect(forMs).toBeGreaterThanOrEqual(10 * 60_000);
    expect(found?.by).toMatch(/admin/);
  });
});

describe("a suspended partner", () => {
  const suspend = (suspended_at: number | null) =>
    update("partners", { suspended_at }, { id: partner.id });

  it("is not checked, and is again once it is resumed (threat: the value goes to a partner who was cut off)", async () => {
    await first();
    const before = good.got.length;
    await suspend(1);
    expect(await check()).toBe(0);
    await suspend(null);
    expect(await check()).toBe(1);
    expect(good.got).toHaveLength(before + 2);
  });

  it("is not called by a check that had begun", async () => {
    await daily(true);
    await run(async () => {
      await suspend(1);
      return rules;
    });
    expect(good.got).toEqual([]);
    await suspend(null);
  });
});

it("is switched on with a step-up, and off without (threat: an admin's stolen session has the value sent every day)", async () => {
  const admin = await partner.person("admin");
  await update("users", { password_hash: "x" }, { id: admin });
  signInAs(admin, "not-stepped-up");
  expect(await codeOf(daily(true))).toBe("reauthentication_required");
  expect((await lastChecks(partner.id, environment)).daily).toEqual([]);
  signInAs(admin);
  await daily(true);
  signInAs(admin, "not-stepped-up");
  await daily(false);
  expect((await lastChecks(partner.id, environment)).daily).toEqual([]);
});

it("waits while the payment service may not be called", async () => {
  await daily(true);
  expect(await checkDue({ isElected: async () => true, environments: [] })).toBe(0);
  await first();
});

describe("several processes", () => {
  it("leave it to the one that is elected", async () => {
    await daily(true);
    const given = async () => rules;
    await run(given, async () => false);
    expect(good.got).toHaveLength(0);
    await run(given);
    expect(good.got).toHaveLength(2);
    expect(await newAlerts()).toEqual(["endpoint_result first"]);
  });

  it("mail a result once where one of them stalled while another one did the check", async () => {
    await daily(true);
    let goOn: (rules: EgressRules) => void = () => undefined;
    const standing = new Promise<EgressRules>((resolve) => (goOn = resolve));
    const late = run(() => standing);
    expect(await run(async () => rules)).toBe(1);
    expect(await newAlerts()).toEqual(["endpoint_result first"]);
    const next = await due();
    expect(next).toBeGreaterThan(databaseTime() + 11 * 60 * 60_000);
    goOn(rules);
    await late;
    expect(await due()).toBe(next);
    expect(await newAlerts()).toEqual([]);
  });

  it("store no result of a check during which it was switched off", async () => {
    await daily(true);
    await run(() => daily(false).then(() => rules));
    expect((await lastChecks(partner.id, environment)).checks).toEqual([]);
  });

  const due = async () => {
    const row = await rowOf("endpoint_checks", { connection_id: partner.connectionId });
    return row.daily_due_at;
  };
});
