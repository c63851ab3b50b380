import { readAttention as readAttentionWith } from "@/lib/attention/server/attention";
import { closeIncident as closeIncidentWith } from "@/lib/attention/server/close-incident";
import { readConnection, replaceConnection } from "@/lib/connection/testing/with-access";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import {
  history,
  inWorld,
  partner,
  plan,
  read,
  save,
  showing,
  timePasses,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";
import { acknowledgeOutside } from "@/lib/webhooks/testing/with-access";
import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";

const readAttention = inPartner("webhooks.read", readAttentionWith);
const closeIncident = inPartner("webhooks.write", closeIncidentWith);

const value = "Bearer shared-by-both-types";
const context = { requestId: "r", clientAddress: "192.0.2.1" };
const typed = (next: string) => ({ action: "replace" as const, value: next });
const theirs = "https://pagamentos.example/pix";
const minute = 61_000;

inWorld();
beforeEach(async () => {
  await save({ type: "both", url, authorization: typed(value) });
  await read();
});

/** What the list shows in place of a value. */
type Shown = (secret: string) => { authorization?: string };
const ways: [string, Shown][] = [
  ["shows values", (authorization) => ({ authorization })],
  ["shows placeholders", () => ({ authorization: "********" })],
  ["shows no values", () => ({})],
];

const list = (out: string, show: Shown, [one, other]: [string, string] = [value, value]) =>
  plan(
    showing([
      { callback_url: url, type: "pix_in", ...show(one) },
      { callback_url: out, type: "pix_out", ...show(other) },
    ]),
  );

const items = async () => (await readAttention(partner.id)).environments[0]?.items ?? [];
const steps = async () => {
  const item = (await items()).find(({ kind }) => kind === "difference" || kind === "recovering");
  return item && "steps" in item ? item.steps : undefined;
};

async function settle() {
  await timePasses(minute);
  await followDue();
  await read();
}

async function acknowledge() {
  const changes = ((await read()).outside ?? []).map(({ id }) => id);
  await acknowledgeOutside(partner.id, "sandbox", { changes }, context);
}

async function replaceClient() {
  const clientId = `other-${randomUUID()}`;
  const clientSecret = `secret-of-${clientId}`;
  world.sandbox.setClients([{ client_id: clientId, client_secret: clientSecret }]);
  const { version } = await readConnection(partner.id, "sandbox");
  await replaceConnection(partner.id, "sandbox", { clientId, clientSecret, version }, context);
}

async function hijack(show: Shown) {
  // A list that begins to show values in another way is told once.
  list(url, show);
  await settle();
  await acknowledge();
  expect(await items()).toMatchObject(expect.not.arrayContaining([{ kind: "difference" }]));
  list(theirs, show);
  await read();
  expect(await steps()).toEqual({ restored: false, replaced: false, credentials: false });
}

it.each(ways)(
  "keeps an incident where another client's credentials replace those in use, at a list that %s (threat: the hijacker's address stays)",
  async (_way, show) => {
    await hijack(show);
    const told = (await history("changed_outside")).length;
    await replaceClient();
    const open = { restored: false, replaced: false, credentials: true };
    expect(await items()).toMatchObject([
      { kind: "not_read" },
      { kind: "recovering", steps: open },
    ]);
    await read();
    expect(await items()).toMatchObject([
      { kind: "difference", types: ["pix_out"], steps: open },
      { kind: "exposed", types: ["pix_in", "pix_out"] },
    ]);
    expect(await codeOf(closeIncident(partner.id, "sandbox", { note: "x" }, context))).toBe(
      "changed_meanwhile",
    );
    expect(await history("changed_outside")).toHaveLength(told);
  },
);

it("tells another address that the first look as another client shows while an incident is open", async () => {
  await hijack((authorization) => ({ authorization }));
  await replaceClient();
  list(`${theirs}/2`, (authorization) => ({ authorization }));
  await read();
  expect(await items()).toMatchObject([{ kind: "difference" }, { kind: "exposed" }]);
  expect(await steps()).toEqual({ restored: false, replaced: false, credentials: false });
});

it("takes the address before for restored where the first look as another client shows it, and tells nothing", async () => {
  await hijack((authorization) => ({ authorization }));
  await replaceClient();
  list(url, (authorization) => ({ authorization }), [value, "Bearer new"]);
  await read();
  expect(await items()).toMatchObject([
    { kind: "exposed", types: ["pix_in"] },
    { kind: "recovering", steps: { restored: true, replaced: false, credentials: true } },
  ]);
  expect(await history("changed_outside")).toHaveLength(1);
});

it("takes it for restored also where the first look as another client says nothing of that type", async () => {
  await hijack((authorization) => ({ authorization }));
  await replaceClient();
  plan(showing([{ callback_url: url, authorization: "Bearer new" }]));
  await read();
  list(url, (authorization) => ({ authorization }), [value, "Bearer new"]);
  await read();
  expect((await items()).at(-1)).toMatchObject({
    kind: "recovering",
    steps: { restored: true, credentials: true },
  });
  expect(await history("changed_outside")).toHaveLength(1);
});

it("does not take a new secret at the hijacker's address for the address restored, and that secret is exposed, too", async () => {
  await partner.register({ url: theirs, type: "pix_out", authorization: value });
  await read();
  const next = typed("Bearer new-at-their-address");
  expect(await save({ type: "pix_out", url: theirs, authorization: next })).toMatchObject({
    outcome: "saved",
  });
  await settle();
  expect(await items()).toMatchObject([
    { kind: "difference", types: ["pix_out"] },
    { kind: "exposed", types: ["pix_in", "pix_out"] },
  ]);
  await save({ type: "both", url, authorization: next });
  await settle();
  expect(await items()).toMatchObject([
    { kind: "exposed", types: ["pix_in", "pix_out"] },
    { kind: "recovering", steps: { restored: true, replaced: false, credentials: false } },
  ]);
});

it("lets somebody say that an address at which they have saved since was theirs", async () => {
  await partner.register({ url: theirs, type: "pix_out", authorization: value });
  await read();
  await save({ type: "pix_out", url: theirs, authorization: typed("Bearer new") });
  await settle();
  await acknowledge();
  expect(await items()).toEqual([]);
});

it.each(["pix_in", "pix_out"] as const)(
  "goes on where somebody acknowledges a value alone, of %s",
  async (type) => {
    await partner.register({ url: theirs, type: "pix_out", authorization: value });
    await read();
    await save({ type: "pix_out", url, authorization: typed("Bearer new-for-pix-out") });
    await settle();
    await timePasses(11 * minute);
    await followDue();
    await settle();
    await partner.register({ url, type, authorization: "Bearer of-another-tool" });
    await settle();
    expect(await items()).toMatchObject([
      { kind: "difference", types: [type], onlyValue: true, steps: { restored: true } },
      ...(type === "pix_out" ? [{ kind: "exposed" }] : []),
    ]);
    await acknowledge();
    expect((await items()).at(-1)).toMatchObject({ kind: "recovering", types: ["pix_out"] });
  },
);

/** Ten minutes after the last save, which explains nothing any more. */
async function over() {
  await timePasses(11 * minute);
  await followDue();
  await settle();
}

it("does not end by what somebody says of an address that was told later, of the same type (threat: the leaked secret stays in use)", async () => {
  await over();
  await partner.register({ url: theirs, type: "pix_in", authorization: value });
  await read();
  await save({ type: "pix_in", url, authorization: typed("Bearer new-for-pix-in") });
  await over();
  const left = [
    { kind: "exposed", types: ["pix_out"] },
    { kind: "recovering", types: ["pix_in"], steps: { restored: true, replaced: false } },
  ];
  expect(await items()).toMatchObject(left);
  const ours = { url: "https://ours.example/pix", authorization: "Bearer new-for-pix-in" };
  await partner.register({ ...ours, type: "pix_in" });
  await read();
  await acknowledge();
  expect(await items()).toMatchObject(left);
});

it("ends where somebody acknowledges a difference of more addresses than it keeps", async () => {
  for (let at = 0; at < 12; at += 1) {
    await partner.register({ url: `${theirs}/${at}`, type: "pix_out", authorization: value });
    await read();
  }
  expect(await items()).toMatchObject([{ kind: "difference" }, { kind: "exposed" }]);
  await acknowledge();
  expect(await items()).toEqual([]);
});

it("is no difference of the value alone where the address went elsewhere and came back, which restores it", async () => {
  await over();
  await partner.register({ url: theirs, type: "pix_out", authorization: value });
  await read();
  await partner.register({ url, type: "pix_out", authorization: value });
  await read();
  await settle();
  expect(await items()).toMatchObject([
    { kind: "difference", onlyValue: false, steps: { restored: true, replaced: false } },
    { kind: "exposed", types: ["pix_in", "pix_out"] },
  ]);
  expect((await read()).outside).toMatchObject([{ type: "pix_out", earlier: [theirs] }]);
});

it("does not begin where a type was left out for a while and is shown with its address again", async () => {
  await over();
  plan(showing([{ callback_url: url, type: "pix_out", authorization: value }]));
  await read();
  await settle();
  expect(await items()).toMatchObject([{ kind: "difference" }, { kind: "not_registered" }]);
  list(url, (authorization) => ({ authorization }));
  await read();
  await settle();
  expect((await items())[0]).not.toHaveProperty("steps");
  await acknowledge();
  expect(await items()).toEqual([]);
});
