import { aDelivery } from "@/lib/alerts/testing/outbox";
import { insert, inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { recordPerson } from "@/lib/history/server/record/record";
import { anchorFile, readAnchors } from "@/lib/history/server/verify/anchor-file";
import { verifyChain } from "@/lib/history/server/verify/verify";
import { exportChain } from "@/lib/history/server/export/export";
import { actorsIn } from "@/lib/history/server/read/actors";
import { readChain } from "@/lib/history/server/verify/read-chain";
import {
  aChange,
  anInvitation,
  aSave,
  aSession,
  newPartner,
  newPerson,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { people } from "@/lib/platform/secrets/model/people";
import { sql } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { erasePerson, previewErasure } from "./erase-person";

let partner: string;
let ana: { id: string; name: string; email: string; from: string };
let other: string;

beforeAll(startHistoryWorld);

/** The fields that all of these entries share. */
const of = () => ({
  partnerId: partner,
  environment: null,
  types: [],
  requestId: "r",
  outcome: null,
});

const context = () => ({ requestId: randomUUID(), clientAddress: ana.from });

/** A person who has left traces everywhere. */
beforeEach(async () => {
  partner = await newPartner();
  other = await newPerson(partner, "admin");
  const id = await newPerson(partner, "admin");
  const mark = randomBytes(4).toString("hex");
  ana = {
    id,
    name: `Ana “Zé” Ribeiro ${mark}`,
    email: `ana.${mark}@people.example`,
    from: `2001:db8::${mark.slice(0, 4)}`,
  };
  await update("users", { email: ana.email, name: ana.name, locale: "pt-BR" }, { id });
  const actor = { id, name: ana.name, clientAddress: ana.from };
  const person = { userId: id, name: ana.name, email: ana.email };
  const author = { id: randomUUID(), author: { id, name: ana.name } };
  const by = { id: other, name: "Rui", clientAddress: "192.0.2.1" };
  const invitationId = randomUUID();
  const invited = { invitationId, email: ana.email, role: "admin" as const };
  const save = aSave(partner, { actor });
  if (save.kind !== "save") throw new Error("not a save");
  await record(
    { ...of(), kind: "member_invited", actor: by, detail: invited },
    { ...of(), kind: "invitation_accepted", actor, detail: { ...invited, userId: id } },
    save,
    { ...save, actor: by, detail: { ...save.detail, proposal: author } },
    { ...of(), kind: "four_eyes_changed", actor: by, detail: { asker: ana.name, askerId: id } },
  );
  const personal = { ...context(), who: { id, name: ana.name } };
  const byOther = { ...personal, who: { id: other, name: "Rui" }, clientAddress: null };
  await inTransaction(async (trx) => {
    const made = { kind: "account_created", outcome: null, detail: person } as const;
    const added = { passkey: "p", name: `Phone of ${ana.name}` };
    const chosen = { kind: "password_changed", outcome: "by_link", detail: {} } as const;
    await recordPerson(trx, { ...personal, ...made });
    await recordPerson(trx, { ...personal, kind: "passkey_added", outcome: null, detail: added });
    await recordPerson(trx, { ...byOther, ...chosen });
    const asked = { kind: "password_link_made", outcome: "asked", detail: person } as const;
    await recordPerson(trx, { ...personal, who: null, ...asked });
  });
  await insert("sessions", aSession(id, { client_address: ana.from }));
  const inviter = { invited_by: ana.name, invited_by_id: id };
  const guest = { id: invitationId, email: ana.email, name: ana.name, role: "admin" } as const;
  await insert("invitations", anInvitation(partner, { ...guest, ...inviter }));
  await copiesOfName(partner, id);
  await alertAbout(id, "admin_added", {
    partnerId: partner,
    memberId: id,
    name: ana.name,
    by: null,
  });
});

/** Every copy of Ana's name that has no id beside it, as of this person of a partner. */
async function copiesOfName(at: string, person: string): Promise<void> {
  const by = ana.name;
  const place = { id: at, partner_id: at, environment: "sandbox", client_id: "c" };
  const credentials = { version: 1, secret_ciphertext: "", updated_at: 1 };
  await insert("connections", { ...place, ...credentials, changed_by: by, approved_by: by });
  const of = { connection_id: at, base_url: "b" };
  const checked = { version: 1, checked_at: 1, checked_by: by, request_id: "r" };
  await insert("connection_checks", { ...of, ...checked });
  const snapshot_json = JSON.stringify({ lastChanges: { pix_in: { at: 1, by } } });
  const reading = { confirmed_at: 1, requested_at: 1, epoch: 1, snapshot_json };
  await insert("confirmed_configurations", { connection_id: at, ...reading });
  const check = { ...of, client_id: "c", checked_at: 1, same_since: 1, typed: 0 } as const;
  const result_json = JSON.stringify({ by });
  await insert("endpoint_checks", { ...check, type: "pix_out", result_json });
  await update("partners", { four_eyes_since: 1, four_eyes_by: by }, { id: at });
  const admin = { partnerId: at, memberId: person, name: by, by: null };
  await alertAbout(other, "admin_added", admin);
}

/** An alert that waits. */
async function alertAbout(
  recipient: string,
  kind: "admin_added" | "approval_decided" | "new_device",
  data: object,
  id = randomUUID(),
) {
  const channel = recipient === "@operators" ? "webhook" : "mail";
  const data_json = JSON.stringify(data);
  await insert("alert_deliveries", aDelivery({ id, kind, recipient, channel, data_json }));
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await db().introspection.getTables({ withInternalKyselyTables: true });
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db())).rows));
  return texts.join("\n");
}

async function exported(): Promise<string> {
  const texts: string[] = [];
  for (const chainId of [partner, people])
    for (const format of ["csv", "json"] as const) {
      const by = { requestId: "r", userId: other };
      const chain = { chainId, name: "x", about: {} };
      const made = await exportChain(chain, {}, { cursor: undefined, format }, by);
      texts.push(await new Response(made.body).text());
    }
  return texts.join("\n");
}

async function shown(): Promise<string> {
  const pages = [await readChain(partner, {}, undefined), await readChain(people, {}, undefined)];
  return JSON.stringify([pages, await actorsIn(partner), await actorsIn(people)]);
}

async function faults(): Promise<unknown[]> {
  const { anchors } = await readAnchors(anchorFile());
  const found: unknown[] = [];
  for (const chain of [partner, people]) {
    const { fault } = await verifyChain(db(), chain, anchors.get(chain) ?? []);
    if (fault) found.push(fault);
  }
  return found;
}

const marks = () => [ana.name, JSON.stringify(ana.name).slice(1, -1), ana.email, ana.from];

it("removes a person from the database, pages and exports, and the history still verifies", async () => {
  for (const text of [await exported(), await shown()]) expect(text).toContain(ana.from);
  expect(await faults()).toEqual([]);
  expect(await previewErasure(db(), ana.email)).toMatchObject({
    person: { id: ana.id },
    partners: [partner],
    invitations: 1,
    because: [],
  });

  expect(await erasePerson(db(), ana.email)).toEqual({ outcome: "erased" });
  const texts = { database: await dump(), exports: await exported(), pages: await shown() };
  for (const [where, text] of Object.entries(texts))
    for (const mark of marks()) expect(text.includes(mark), `${mark} in ${where}`).toBe(false);
  for (const text of [texts.exports, texts.pages]) expect(text).toContain("Erased person");
  // Their entries stay, under their id.
  expect(texts.exports).toContain(ana.id);
  expect(await faults()).toEqual([]);
  const { entries } = await readChain(partner, {}, undefined);
  expect(entries.every(({ intact }) => intact)).toBe(true);
  expect(await previewErasure(db(), ana.email)).toBeNull();
});

/** How often Ana's name is in the database. */
const timesNamed = async () => (await dump()).split(ana.name).length - 1;

it("keeps a namesake's name at a partner that the person has nothing to do with", async () => {
  const elsewhere = await newPartner();
  const before = await timesNamed();
  await copiesOfName(elsewhere, await newPerson(elsewhere, "admin"));
  const ofNamesake = (await timesNamed()) - before;
  await erasePerson(db(), ana.email);
  expect(ofNamesake).toBe(7);
  expect(await timesNamed()).toBe(ofNamesake);
});

it("removes the name also where the entries that say whose it is may have been removed (threat: a former member's name stays)", async () => {
  const former = await newPartner();
  await copiesOfName(former, ana.id);
  await insert("history_checkpoints", { partner_id: former, seq: 9, mac: "m", entry_seq: 10 });
  await erasePerson(db(), ana.email);
  expect(await timesNamed()).toBe(0);
});

it("stores only ids and network addresses of a person in the history (threat: a stolen copy of the table)", async () => {
  const rows = await db().selectFrom("history").selectAll().execute();
  const text = JSON.stringify(rows.map((row) => ({ ...row, client_address: null })));
  for (const mark of marks()) expect(text.includes(JSON.stringify(mark).slice(1, -1))).toBe(false);
});

it("removes the network address from an alert about them for the operators", async () => {
  const device = { userId: ana.id, browser: null, clientAddress: ana.from };
  await alertAbout("@operators", "new_device", device);
  await erasePerson(db(), ana.email);
  expect(await dump()).not.toContain(ana.from);
});

it("keeps a reading that began earlier from storing the name again", async () => {
  const epoch = async () =>
    (await rowOf("confirmed_configurations", { connection_id: partner })).epoch;
  const before = await epoch();
  await erasePerson(db(), ana.email);
  expect(await epoch()).toBeGreaterThan(before);
});

it("erases a person who was only invited", async () => {
  const email = `rita.${randomBytes(4).toString("hex")}@people.example`;
  const id = randomUUID();
  await insert("invitations", anInvitation(partner, { id, email, name: "Rita" }));
  await record({
    ...of(),
    kind: "member_invited",
    actor: { id: other, name: "Rui", clientAddress: null },
    detail: { invitationId: id, email, role: "viewer" },
  });
  expect(await exported()).toContain(email);
  expect(await erasePerson(db(), email)).toEqual({ outcome: "erased" });
  for (const text of [await dump(), await exported()]) expect(text).not.toContain(email);
  expect(await faults()).toEqual([]);
});

it("leaves no partner without an admin and no installation without an operator", async () => {
  await db().deleteFrom("memberships").where("user_id", "=", other).execute();
  await update("users", { staff_role: null });
  await update("users", { staff_role: "operator" }, { id: ana.id });
  const before = await dump();
  expect(await erasePerson(db(), ana.email)).toEqual({
    outcome: "refused",
    because: [
      expect.stringContaining("the only operator"),
      expect.stringContaining(`the only admin of ${partner}`),
    ],
  });
  expect(await dump()).toBe(before);
});

it("waits for a save to end, but not for longer than its time: the service may never be read again", async () => {
  const now = await readSteadyClock();
  const save = { id: "open", state: "open", author_id: ana.id, author_name: ana.name } as const;
  await insert("changes", aChange(partner, { ...save, sent_at: now - 500_000 }));
  const because = [expect.stringContaining(`still follows a save of theirs at ${partner}`)];
  expect(await erasePerson(db(), ana.email)).toEqual({ outcome: "refused", because });
  await update("changes", { sent_at: now - 700_000 }, { id: "open" });
  expect(await erasePerson(db(), ana.email)).toEqual({ outcome: "erased" });
  expect(await rowOf("changes", { id: "open" })).toMatchObject({ author_name: "Erased person" });
});

it("keeps a request that began earlier from storing the person again (threat: a session still at work)", async () => {
  await erasePerson(db(), ana.email);
  await record(aSave(partner, { actor: { ...ana, clientAddress: ana.from } }));
  for (const text of [await dump(), await shown()])
    for (const mark of marks()) expect(text).not.toContain(mark);
  const { entries } = await readChain(partner, {}, undefined);
  expect(entries[0]).toMatchObject({ actor: { id: ana.id, name: "Erased person" } });
});

it.each([
  "by",
  "name",
  "enforced",
  "hooks.example.com",
  "https://hooks.example.com/pix",
  '"by":"by"',
  "a%b_c",
])(
  "removes only the name of a person called %s (threat: a person named like a field or an address)",
  async (name) => {
    await update("users", { name }, { id: ana.id });
    const url = "https://hooks.example.com/pix";
    // Has the fields that a person could be named after, and their name where there is one.
    const known = (by: string) => ({
      snapshot: { webhooks: { pix_in: { callbackUrl: url, at: "at", by: "by" } } },
      lastChanges: { pix_in: { at: 1, by, approvedBy: by }, pix_out: { at: 2, by: "Rui" } },
      status: "name",
    });
    const checked = (by: string) => ({
      type: "pix_in",
      url,
      verdict: "enforced",
      sent: JSON.stringify({ by: name, url }),
      tls: { certificate: { names: ["hooks.example.com", name], issuer: name } },
      by,
    });
    const told = (by: string) => ({
      partnerId: partner,
      environment: "sandbox",
      outcome: "approved",
      by,
      proposedBy: by,
      changes: [{ type: "pix_in", before: "hooks.example.com", after: name, moved: true }],
      author: { id: ana.id, name: by },
      reason: name,
    });
    const ids = { alert: randomUUID(), save: randomUUID() };
    const set = { connection_id: partner, base_url: "b", client_id: "c" };
    const snapshot_json = JSON.stringify(known(name));
    await update("confirmed_configurations", { snapshot_json }, { connection_id: partner });
    const result_json = JSON.stringify(checked(name));
    const times = { checked_at: 1, same_since: 1 };
    await insert("endpoint_checks", { ...set, ...times, type: "pix_in", typed: 0, result_json });
    await alertAbout(other, "approval_decided", told(name), ids.alert);
    await insert(
      "changes",
      aChange(partner, {
        id: ids.save,
        author_id: ana.id,
        author_name: name,
        decided_by_id: other,
        decided_by: "Rui",
        client_address: "192.0.2.1",
        state: "closed",
      }),
    );

    expect(await erasePerson(db(), ana.email)).toEqual({ outcome: "erased" });

    const gone = "Erased person";
    const configuration = await rowOf("confirmed_configurations", { connection_id: partner });
    const check = await rowOf("endpoint_checks", { connection_id: partner, type: "pix_in" });
    const alert = await rowOf("alert_deliveries", { id: ids.alert });
    const left = known(gone);
    // The same text in a field for names is a namesake's.
    if (name === "by") left.snapshot.webhooks.pix_in.by = gone;
    expect(JSON.parse(configuration.snapshot_json)).toEqual(left);
    expect(JSON.parse(check.result_json ?? "")).toEqual(checked(gone));
    expect(JSON.parse(alert.data_json)).toEqual(told(gone));
    expect(await rowOf("changes", { id: ids.save })).toMatchObject({
      author_name: gone,
      decided_by: "Rui",
      client_address: "192.0.2.1",
    });
    expect(await faults()).toEqual([]);
  },
);
