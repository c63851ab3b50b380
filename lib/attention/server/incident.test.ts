import { closeIncident as closeIncidentWith } from "@/lib/attention/server/close-incident";
import { readAttention as readAttentionWith } from "@/lib/attention/server/attention";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { update } from "@/lib/platform/database/testing/rows";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import {
  history,
  inWorld,
  partner,
  read,
  save,
  timePasses,
  url,
} from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { acknowledgeOutside } from "@/lib/webhooks/testing/with-access";
import { beforeEach, expect, it } from "vitest";

const readAttention = inPartner("webhooks.read", readAttentionWith);
const closeIncident = inPartner("webhooks.write", closeIncidentWith);

const value = "Bearer shared-by-both-types";
const context = { requestId: "r", clientAddress: "192.0.2.1" };
const typed = (next: string) => ({ action: "replace" as const, value: next });
const theirs = "https://pagamentos.example/pix";

inWorld({ as: null });
beforeEach(async () => {
  signInAs(await partner.person("editor"));
  await save({ type: "both", url, authorization: typed(value) });
  await read();
  await partner.register({ url: theirs, type: "pix_out", authorization: value });
  await read();
});

const items = async () => (await readAttention(partner.id)).environments[0]?.items ?? [];
const close = (note = "The key was in a public repository.") =>
  closeIncident(partner.id, "sandbox", { note }, context);
const replaceCredentials = () =>
  update("connections", { version: 2 }, { id: partner.connectionId });

it("is over once the address is restored, both types have a new value, the credentials are new and somebody wrote a note", async () => {
  const open = { restored: false, replaced: false, credentials: false };
  expect(await items()).toMatchObject([
    { kind: "difference", types: ["pix_out"], steps: open },
    { kind: "exposed", types: ["pix_in", "pix_out"] },
  ]);
  await save({ type: "pix_out", url, authorization: typed("Bearer new-for-pix-out") });
  await timePasses(60_000);
  await followDue();
  await read();
  const restored = { ...open, restored: true };
  expect(await items()).toMatchObject([
    { kind: "exposed", types: ["pix_in"] },
    { kind: "recovering", types: ["pix_out"], steps: restored },
  ]);
  expect(await codeOf(close())).toBe("changed_meanwhile");
  await save({ type: "pix_in", url, authorization: typed("Bearer new-for-pix-in") });
  await replaceCredentials();
  expect(await items()).toMatchObject([
    { kind: "recovering", steps: { restored: true, replaced: true, credentials: true } },
  ]);
  await close();
  expect(await items()).toEqual([]);
  const [entry] = await history("incident_closed");
  expect(entry).toMatchObject({ types: "pix_out" });
  expect(entry?.detail_json).toContain("public repository");
  expect(await codeOf(close())).toBe("changed_meanwhile");
});

it("is over at once where somebody acknowledges it as their own", async () => {
  const changes = ((await read()).outside ?? []).map(({ id }) => id);
  await acknowledgeOutside(partner.id, "sandbox", { changes }, context);
  expect(await items()).toEqual([]);
});

it("asks for new credentials again after another difference (threat: whoever has them goes on)", async () => {
  await replaceCredentials();
  expect(await items()).toMatchObject([{ steps: { credentials: true } }, { kind: "exposed" }]);
  await partner.register({ url: `${theirs}/2`, type: "pix_out", authorization: value });
  await read();
  expect(await items()).toMatchObject([{ steps: { credentials: false } }, { kind: "exposed" }]);
});

it("does not begin where only the value differs, which the list may show in another way", async () => {
  const changes = ((await read()).outside ?? []).map(({ id }) => id);
  await acknowledgeOutside(partner.id, "sandbox", { changes }, context);
  await partner.register({ url: theirs, type: "pix_out", authorization: "Bearer other" });
  await read();
  const [difference, ...others] = await items();
  expect(difference).toMatchObject({ kind: "difference", onlyValue: true });
  expect(difference).not.toHaveProperty("steps");
  expect(others).toEqual([]);
});
