import { startMailServer, type MailServer } from "@/lib/platform/mail/testing/mail-server";
import { untilDone } from "@/lib/platform/runtime/in-flight";
import { startAlertReceiver, type AlertReceiver } from "@/lib/alerts/testing/alert-receiver";
import { changeRole, switchFourEyes } from "@/lib/team/testing/with-access";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  decideProposal,
  readConfiguration,
  saveConfiguration,
} from "@/lib/webhooks/testing/with-access";
import { registerDirectly } from "@/lib/webhooks/testing/direct-call";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";

vi.mock("@/lib/platform/auth/sessions/read-session", async () => ({
  readSession: (await import("@/lib/webhooks/testing/signed-in")).sessionInTest,
}));

const environment = "production";
const origin = { requestId: "test", clientAddress: "192.0.2.1" };
const url = "https://hooks.example.com/canary-path?key=canary-query";
const moved = "https://other.example.net/canary-path?key=canary-query";
const authorization = (value: string) => ({ action: "replace", value }) as const;

let world: World;
let mail: MailServer;
let receiver: AlertReceiver;
let partner: TestPartner;
let admin: string;
let author: string;

beforeAll(async () => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  [mail, receiver] = await Promise.all([startMailServer(), startAlertReceiver(secret)]);
  Object.assign(process.env, {
    ...{ SMTP_URL: mail.url, MAIL_FROM: "gancho@example.com" },
    ...{ ALERTS_URL: receiver.url, ALERTS_SECRET: secret },
  });
  world = await startWorld(undefined, environment);
});
afterAll(async () => {
  await world.close();
  await Promise.all([mail.close(), receiver.close()]);
});
beforeEach(async () => {
  partner = await world.partner("Loja Aurora");
  [admin, author] = [await partner.provenPerson("admin"), await partner.provenPerson("editor")];
  await registerDirectly(world.sandbox.url, partner, { url, authorization: "Bearer canary-one" });
  await as(admin, read);
  await alerted();
});

function as<Result>(who: string, call: () => Promise<Result>): Promise<Result> {
  signInAs(who);
  return call();
}

const read = () => readConfiguration(partner.id, environment, { requestId: "read" });

async function save(who: string, change: Partial<SaveRequest>) {
  const { revision } = await as(who, read);
  const request = {
    type: "pix_in",
    url,
    revision,
    authorization: authorization("Bearer canary-two"),
  };
  const whole = { ...request, ...change } as SaveRequest;
  return as(who, () => saveConfiguration(partner.id, environment, whole, origin));
}

async function propose(to: string): Promise<string> {
  const result = await save(author, { url: to });
  if (result.outcome !== "waiting") throw new Error(`expected a proposal, not ${result.outcome}`);
  return result.proposal;
}

function decide(proposal: string, decision: Decision["decision"]) {
  const body = { decision, ...(decision === "reject" ? { reason: "not ours" } : {}) };
  const params = { partner: partner.id, environment, proposal };
  return as(admin, () => decideProposal(params, body, origin));
}

/** The alerts since the last call, and who got them by mail. Nothing of it is secret. */
async function alerted() {
  await untilDone(20_000);
  const alerts = receiver.received.splice(0);
  const mails = mail.mails.splice(0);
  const all = JSON.stringify([alerts, mails]).replace(/=\\n/g, "");
  expect(all).not.toContain("canary");
  expect(all).not.toContain(partner.clientSecret);
  const of = (id: string) => mails.filter(({ to }) => to.includes(`${id}@test.example`)).length;
  return {
    kinds: alerts.map(({ payload }) => (payload as { type: string }).type).sort(),
    data: alerts.map(({ payload }) => (payload as { data: object }).data),
    admin: of(admin),
    author: of(author),
    mails: mails.length,
  };
}

it("tells admins that a callback was changed outside, and who moved one of production, not that its path was changed", async () => {
  await registerDirectly(world.sandbox.url, partner, { url: moved, type: "pix_in" });
  await as(admin, read);
  const outside = await alerted();
  expect(outside).toMatchObject({ kinds: ["changed_outside"], admin: 1, author: 0 });
  const change = { type: "pix_in", before: "hooks.example.com", after: "other.example.net" };
  expect(outside.data).toMatchObject([{ changes: [{ ...change, moved: true }] }]);

  await save(author, {});
  const back = await alerted();
  expect(back).toMatchObject({ kinds: ["address_changed"], admin: 1, author: 0 });
  expect(back.data).toMatchObject([{ by: "The editor", proposedBy: null }]);
  await save(author, { url: `${url}-elsewhere` });
  expect(await alerted()).toMatchObject({ kinds: [], mails: 0 });
});

it("reports that a change waits and how it ended, and its author gets the end", async () => {
  await partner.provenPerson("admin");
  await as(admin, () => switchFourEyes(partner.id, true, origin));
  await alerted();
  const first = await propose(moved);
  expect(await alerted()).toMatchObject({
    kinds: ["approval_waits"],
    admin: 1,
    author: 0,
    mails: 2,
  });
  await decide(first, "reject");
  const rejected = await alerted();
  expect(rejected).toMatchObject({ kinds: ["approval_decided"], admin: 1, author: 1, mails: 3 });
  expect(rejected.data).toMatchObject([{ outcome: "rejected", reason: "not ours" }]);

  const other = await propose(moved);
  await alerted();
  await decide(other, "approve");
  const approved = await alerted();
  expect(approved).toMatchObject({ kinds: ["address_changed", "approval_decided"], author: 1 });
  expect(approved.data).toContainEqual(
    expect.objectContaining({ by: "The admin", proposedBy: "The editor" }),
  );
});

it("tells the other admins of a new one, who then gets the next alerts", async () => {
  const viewer = await partner.provenPerson("viewer");
  await as(admin, () => changeRole(partner.id, viewer, "admin", origin));
  const raised = await alerted();
  expect(raised).toMatchObject({ kinds: ["admin_added"], admin: 1, mails: 1 });
  expect(raised.data).toMatchObject([{ memberId: viewer, by: "The admin" }]);
  await save(author, { url: moved });
  expect(await alerted()).toMatchObject({ kinds: ["address_changed"], mails: 2 });
});
