import { signInHere } from "@/lib/account/testing/account-world";
import { addPasskey, beginPasskey } from "@/lib/account/testing/with-access";
import {
  softwareAuthenticator,
  type SoftwareAuthenticator,
  type Twist,
} from "@/lib/platform/auth/testing/software-authenticator";
import { db } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/schema";
import { canonicalRow } from "@/lib/history/server/record/chain";
import { peopleKinds, readable } from "@/lib/history/testing/people-entries";
import { dropTheTriggers } from "@/lib/history/testing/history-world";
import { furtherChecks } from "@/lib/history/server/verify/further-checks";
import { exportHistory, readHistory } from "@/lib/history/testing/with-access";
import { pruneChain } from "@/lib/history/server/verify/prune";
import { verifyChain } from "@/lib/history/server/verify/verify";
import { partnerMac, shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import { Secret } from "@/lib/platform/runtime/secret";
import { people } from "@/lib/platform/secrets/people";
import { switchFourEyes } from "@/lib/team/testing/with-access";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  readConfiguration,
  saveConfiguration,
  decideProposal,
  beginSigning,
} from "@/lib/webhooks/testing/with-access";
import { registerDirectly, registered } from "@/lib/webhooks/testing/direct-call";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

vi.mock("@/lib/platform/auth/sessions/read-session", async () => ({
  readSession: (await import("@/lib/webhooks/testing/signed-in")).sessionInTest,
}));

let world: World;
let partner: TestPartner;
let admin: string;
let author: string;
let device: SoftwareAuthenticator;

const signingKey = new Secret(Buffer.alloc(32, 7).toString("base64"));

beforeAll(async () => {
  process.env["HISTORY_SIGNING_KEY"] = signingKey.reveal();
  world = await startWorld(undefined, "production");
  await dropTheTriggers();
});
afterAll(() => world.close());
beforeEach(async () => {
  partner = await world.partner();
  admin = await partner.person("admin");
  author = await partner.person("editor");
  await registerDirectly(world.sandbox.url, partner, { url, authorization: "Bearer one" });
  device = await withPasskey(admin);
  await partner.person("admin");
  await switchFourEyes(partner.id, true, origin);
});

const url = "https://hooks.example.com/pix";
const moved = `${url}/moved`;
const origin = { requestId: "test", clientAddress: "192.0.2.1" };

/** Gives a person a passkey, and signs them in. */
async function withPasskey(person: string): Promise<SoftwareAuthenticator> {
  await signInHere({ id: person }, "password", Date.now());
  const authenticator = softwareAuthenticator();
  const { options } = await beginPasskey({}, { ...origin, device: undefined });
  await addPasskey({ name: "Key", attestation: authenticator.make(options) }, origin);
  signInAs(person);
  return authenticator;
}

async function propose(change: Partial<SaveRequest> = {}): Promise<string> {
  signInAs(author);
  const { revision } = await readConfiguration(partner.id, "production", { requestId: "read" });
  const keep = { action: "keep" } as const;
  const request = { type: "pix_in", url: moved, revision, authorization: keep, ...change } as const;
  const result = await saveConfiguration(partner.id, "production", request, origin);
  if (result.outcome !== "waiting") throw new Error(result.outcome);
  signInAs(admin);
  return result.proposal;
}

const addressOf = (proposal: string) => ({
  partner: partner.id,
  environment: "production",
  proposal,
});

async function sign(proposal: string, authenticator = device, twist: Twist = {}) {
  const { options } = await beginSigning(addressOf(proposal));
  if (!options) throw new Error("nothing to sign");
  return authenticator.use(options, twist);
}

function approve(proposal: string, passkey?: Awaited<ReturnType<typeof sign>>) {
  const decision = { decision: "approve", ...(passkey && { passkey }) } as const;
  return decideProposal(addressOf(proposal), decision, origin);
}

async function addresses() {
  const items = await registered(world.sandbox.url, partner);
  return Object.fromEntries(items.map(({ type, callback_url }) => [type, callback_url]));
}

const entries = (chain: string) =>
  db().selectFrom("history").selectAll().where("partner_id", "=", chain).orderBy("seq").execute();

async function verified() {
  const { fault } = await verifyChain(db(), partner.id, []);
  if (fault) return fault;
  for (const check of furtherChecks)
    for await (const { what } of check(db(), [partner.id])) return what;
  return null;
}

/** Plays somebody who has the database and ENCRYPTION_KEYS: a valid chain, with other entries. */
async function rewrite(chain: string, edit: (row: HistoryRow) => Partial<HistoryRow>) {
  let mac = "";
  for (const row of await entries(chain)) {
    const edited = { ...row, ...edit(row) };
    mac = await partnerMac(db(), chain, "history", canonicalRow(edited, mac));
    await db()
      .updateTable("history")
      .set({ ...edited, mac })
      .where("partner_id", "=", chain)
      .where("seq", "=", row.seq)
      .execute();
  }
  await db().updateTable("history_heads").set({ mac }).where("partner_id", "=", chain).execute();
}

/** Edits the text of the entries of one kind. */
const replacing = (kind: string, before: string, after: string) => (row: HistoryRow) =>
  row.kind === kind ? { detail_json: row.detail_json.replaceAll(before, after) } : {};

it("an approval is signed with the approver's passkey, and the history verifies what was signed", async () => {
  const id = await propose({ authorization: { action: "replace", value: "Bearer two" } });
  expect(await approve(id, await sign(id))).toMatchObject({ outcome: "saved" });
  expect(await addresses()).toMatchObject({ pix_in: moved });
  const ended = (await entries(partner.id)).find(({ kind }) => kind === "proposal_ended");
  expect(JSON.parse(ended?.detail_json ?? "")).toMatchObject({
    signed: {
      origin: "http://localhost:3000",
      changes: [{ type: "pix_in", before: { callbackUrl: url }, after: { callbackUrl: moved } }],
    },
  });
  expect(ended?.detail_json.length).toBeLessThan(4_000);
  expect(await verified()).toBeNull();
});

it("the signed text is only in the stored row: nobody sees a value's whole fingerprint, or that of a proposed value (threat: proposals as an oracle)", async () => {
  const id = await propose({ authorization: { action: "replace", value: "Bearer guess" } });
  await approve(id, await sign(id));
  const recorded = await readable(db(), partner.id, await entries(partner.id));
  const ended = recorded.find(({ kind }) => kind === "proposal_ended");
  const kept = JSON.parse(ended?.detail_json ?? "");
  const [{ before, after }] = kept.signed.changes;
  const show = await shownFingerprints(db(), partner.id);

  const { entries: shown } = await readHistory(partner.id, { show: "every" });
  expect(shown.find(({ kind }) => kind === "proposal_ended")?.detail).toEqual({
    proposal: kept.proposal,
    signed: { at: kept.signed.at, passkey: kept.signed.passkey },
  });
  const files = (["csv", "json"] as const).map(async (format) => {
    const { body } = await exportHistory(partner.id, { show: "every", format }, "test");
    return new Response(body).text();
  });
  const reported = [JSON.stringify(shown), ...(await Promise.all(files))];
  for (const text of reported)
    for (const part of [before.fingerprint, after.fingerprint, kept.signed.signature])
      expect(text).not.toContain(part);
  // Only the save shows what the service came to hold.
  const [json = ""] = reported;
  expect(json.split(show("production", after.fingerprint))).toHaveLength(2);
});

it("for both types, kept value and a type that was not registered alike", async () => {
  const id = await propose({ type: "both" });
  expect(await approve(id, await sign(id))).toMatchObject({ outcome: "saved" });
  expect(await verified()).toBeNull();
});

it("a person without a passkey has nothing to sign, and approves after a step-up only (threat: a stolen session)", async () => {
  const id = await propose();
  const other = await partner.person("editor");
  signInAs(other);
  expect(await beginSigning(addressOf(id))).toEqual({ options: null });
  await db().updateTable("users").set({ password_hash: "x" }).where("id", "=", other).execute();
  signInAs(other, "not-stepped-up");
  expect(await codeOf(approve(id))).toBe("reauthentication_required");
  expect(await addresses()).toMatchObject({ pix_in: url });
  signInAs(other);
  expect(await approve(id)).toMatchObject({ outcome: "saved" });
  expect(await verified()).toBeNull();
});

describe("the signature", () => {
  it("is good for one proposal (threat: a signature for another change)", async () => {
    const first = await propose();
    const signature = await sign(first);
    const second = await propose({
      url: "https://evil.example/pix",
      authorization: { action: "replace", value: "Bearer two" },
      replaces: [first],
    });
    expect(await codeOf(approve(second, signature))).toBe("passkey_over");
    expect(await addresses()).toMatchObject({ pix_in: url });
  });

  it("is good once (threat: a recorded signature)", async () => {
    const id = await propose();
    const signature = await sign(id);
    await approve(id, signature);
    const again = await propose({ url });
    expect(await codeOf(approve(again, signature))).toBe("passkey_over");
  });

  it("is the approver's own (threat: another person's passkey)", async () => {
    const id = await propose();
    const other = await withPasskey(await partner.person("admin"));
    signInAs(admin);
    expect(await codeOf(approve(id, await sign(id, other)))).toBe("passkey_refused");
    expect(await peopleKinds(db(), admin)).toContain("confirmation_refused: wrong_passkey");
    const elsewhere = await sign(id, device, { origin: "https://evil.example" });
    expect(await codeOf(approve(id, elsewhere))).toBe("passkey_refused");
    expect(await addresses()).toMatchObject({ pix_in: url });
  });

  it("covers what is sent, also where the database was changed meanwhile (threat: an edited proposal)", async () => {
    const id = await propose();
    const signature = await sign(id);
    const evil = `${url}/evil`;
    await db().updateTable("proposals").set({ url: evil }).where("id", "=", id).execute();
    expect(await codeOf(approve(id, signature))).toBe("proposal_stale");
    expect(await addresses()).toMatchObject({ pix_in: url });
  });
});

describe("somebody with the database and the keys does not change unnoticed", () => {
  let seq: number;
  beforeEach(async () => {
    const id = await propose();
    await approve(id, await sign(id));
    seq = (await entries(partner.id)).find(({ kind }) => kind === "proposal_ended")?.seq ?? 0;
    await rewrite(partner.id, () => ({}));
    expect(await verified()).toBeNull();
  });

  it("the approved change (threat: a rewritten history)", async () => {
    await rewrite(partner.id, replacing("proposal_ended", moved, `${url}/other`));
    expect(await verified()).toBe(`entry ${seq} is not what its approver’s passkey signed`);
  });

  it("the approver", async () => {
    const other = await partner.person("admin");
    await rewrite(partner.id, ({ kind }) => (kind === "proposal_ended" ? { actor_id: other } : {}));
    expect(await verified()).toBe(
      `entry ${seq} is signed with a passkey that its approver never added`,
    );
  });

  it("the signature", async () => {
    await rewrite(partner.id, (row) => {
      if (row.kind !== "proposal_ended") return {};
      const detail = JSON.parse(row.detail_json);
      detail.signed.signature = `${detail.signed.signature.slice(0, -6)}AAAAAA`;
      return { detail_json: JSON.stringify(detail) };
    });
    expect(await verified()).toBe(`entry ${seq} is not what its approver’s passkey signed`);
  });

  it("the save that followed", async () => {
    await rewrite(partner.id, replacing("save_attempt", moved, `${url}/other`));
    expect(await verified()).toBe(`entry ${seq + 1} sends something else than was approved`);
  });

  it("and still does not after the entry that has the passkey was removed, with a checkpoint", async () => {
    const before = { before: Date.now() + 60_000, signingKey, anchors: [] };
    // Not the newest entry, which always stays.
    await withPasskey(await partner.person("viewer"));
    expect(await pruneChain(db(), people, before)).toMatchObject({ outcome: "removed" });
    const kinds = (await entries(people)).map(({ kind, actor_id }) => `${kind} ${actor_id}`);
    expect(kinds).not.toContain(`passkey_added ${admin}`);
    expect(await verified()).toBeNull();
    await rewrite(partner.id, replacing("proposal_ended", moved, `${url}/other`));
    expect(await verified()).toBe(`entry ${seq} is not what its approver’s passkey signed`);
  });

  it("the owner of the passkey: the people's chain names them, too", async () => {
    await rewrite(people, (row) =>
      row.kind === "passkey_added" && row.actor_id === admin ? { kind: "passkey_removed" } : {},
    );
    expect(await verified()).toBe(
      `entry ${seq} is signed with a passkey that its approver never added`,
    );
  });
});
