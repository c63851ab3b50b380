import { storedConnection } from "@/lib/connection/server/stored";
import { aDelivery } from "@/lib/alerts/testing/outbox";
import { insert, inTransaction, update } from "@/lib/platform/database/testing/rows";
import { recordPerson } from "@/lib/history/server/record/record";
import { anchorFile, readAnchors } from "@/lib/history/server/verify/anchor-file";
import { verifyChain } from "@/lib/history/server/verify/verify";
import { inEnglish } from "@/lib/history/testing/with-access";
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
import { personData, personParts } from "./person-rows";

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
  if (save.kind !== "save_shown") throw new Error("not a save");
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
  const inviter = { invited_by_id: id };
  const guest = { id: invitationId, email: ana.email, name: ana.name, role: "admin" } as const;
  await insert("invitations", anInvitation(partner, { ...guest, ...inviter }));
  await rowsNaming(partner, id);
  await alertAbout(id, "admin_added", {
    partnerId: partner,
    memberId: id,
    name: id,
    by: null,
  });
});

/** A row of every kind that names a person of a partner. */
async function rowsNaming(at: string, person: string): Promise<void> {
  const place = { id: at, partner_id: at, environment: "sandbox", client_id: "c" };
  const credentials = { version: 1, secret_ciphertext: "", updated_at: 1 };
  const by = { changed_by_id: person, approved_by_id: person };
  await insert("connections", { ...place, ...credentials, ...by });
  const of = { connection_id: at, base_url: "b" };
  const checked = { version: 1, checked_at: 1, checked_by_id: person, request_id: "r" };
  await insert("connection_checks", { ...of, ...checked });
  await update("partners", { four_eyes_since: 1, four_eyes_by_id: person }, { id: at });
  const admin = { partnerId: at, memberId: person, name: person, by: null };
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
      const made = await exportChain(
        chain,
        {},
        { cursor: undefined, format, reader: inEnglish },
        by,
      );
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

it("leaves a namesake's name where it is, in the same partner too (threat: somebody else's acts lose their name)", async () => {
  const namesake = await newPerson(partner, "editor");
  await update("users", { name: ana.name }, { id: namesake });
  await update("connections", { changed_by_id: namesake }, { id: partner });
  await insert("changes", aChange(partner, { author_id: namesake }));
  await record(aSave(partner, { actor: { ...ana, id: namesake, clientAddress: null } }));
  await erasePerson(db(), ana.email);
  const settings = { name: "sandbox", baseUrl: "b" };
  expect(await storedConnection(partner, settings)).toMatchObject({
    changedBy: ana.name,
    approvedBy: "Erased person",
  });
  const { entries } = await readChain(partner, {}, undefined);
  const acts = entries.filter(({ actor }) => actor?.id === namesake);
  expect(acts.map(({ actor }) => actor?.name)).toEqual([ana.name]);
});

it("keeps only ids of people outside their accounts, so that erasing is one update (threat: a copy that it misses)", async () => {
  await update("users", { name: "x", email: "x" }, { id: ana.id });
  const text = await dump();
  for (const mark of [ana.name, JSON.stringify(ana.name).slice(1, -1)])
    expect(text.split(mark).length - 1, "the name in the invitation").toBe(1);
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

it("erases an alert address that is theirs, with an account or without, and tells them of it (threat: an address that is still mailed)", async () => {
  const stranger = `${randomUUID()}@elsewhere.example`;
  for (const address of [ana.email, stranger])
    await insert("alert_addresses", {
      id: randomUUID(),
      partner_id: partner,
      address,
      added_by_id: other,
      token_hash: randomUUID(),
      expires_at: 1,
      confirmed_at: 1,
    });
  for (const address of [ana.email, stranger]) {
    const told = await personData(db(), address);
    expect(told?.["alertAddresses"]).toMatchObject([{ partner_id: partner, address }]);
    expect(await previewErasure(db(), address)).toMatchObject({ alertAddresses: 1 });
    expect(await erasePerson(db(), address)).toEqual({ outcome: "erased" });
  }
  const left = db().selectFrom("alert_addresses").select("address");
  expect(await left.where("partner_id", "=", partner).execute()).toEqual([]);
});

it("counts the entries that show an address, also of an invitation", async () => {
  const email = `rita.${randomBytes(4).toString("hex")}@people.example`;
  const id = randomUUID();
  await insert("invitations", anInvitation(partner, { id, email, name: "Rita" }));
  await record(
    {
      ...of(),
      kind: "member_invited",
      actor: { id: other, clientAddress: null },
      detail: { invitationId: id, email, role: "viewer" },
    },
    { ...of(), kind: "alert_address_added", actor: null, detail: { address: email } },
  );
  expect(await previewErasure(db(), email)).toMatchObject({ person: null, entries: 2 });
});

it("erases a person who was only invited", async () => {
  const email = `rita.${randomBytes(4).toString("hex")}@people.example`;
  const id = randomUUID();
  await insert("invitations", anInvitation(partner, { id, email, name: "Rita" }));
  await record({
    ...of(),
    kind: "member_invited",
    actor: { id: other, clientAddress: null },
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
  const save = { id: "open", state: "answered", author_id: ana.id } as const;
  await insert("changes", aChange(partner, { ...save, sent_at: now - 500_000 }));
  const because = [expect.stringContaining(`still follows a save of theirs at ${partner}`)];
  expect(await erasePerson(db(), ana.email)).toEqual({ outcome: "refused", because });
  await update("changes", { sent_at: now - 700_000 }, { id: "open" });
  expect(await erasePerson(db(), ana.email)).toEqual({ outcome: "erased" });
});

it("keeps a request that began earlier from storing the person again (threat: a session still at work)", async () => {
  await erasePerson(db(), ana.email);
  await record(aSave(partner, { actor: { id: ana.id, clientAddress: ana.from } }));
  for (const text of [await dump(), await shown()])
    for (const mark of marks()) expect(text).not.toContain(mark);
  const { entries } = await readChain(partner, {}, undefined);
  expect(entries[0]).toMatchObject({ actor: { id: ana.id, name: "Erased person" } });
});

/** Every table with a row that has one of these texts. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const tables = await db().introspection.getTables();
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db());
    const written = rows.map((row) => JSON.stringify(row));
    if (written.some((row) => texts.some((text) => row.includes(text)))) found.push(name);
  }
  return found;
}

/** In the tables that the fixture above leaves out: secrets that nobody must get. */
async function moreTraces(): Promise<void> {
  const user_id = ana.id;
  await insert("alert_addresses", {
    id: randomUUID(),
    partner_id: partner,
    address: `${randomUUID()}@group.example`,
    added_by_id: user_id,
    token_hash: randomUUID(),
    expires_at: 1,
  });
  const secret = `secret-of-${user_id}`;
  await insert("one_time_codes", {
    user_id,
    secret_ciphertext: secret,
    created_at: 1,
    last_step: 1,
  });
  await insert("recovery_codes", { user_id, code_hash: secret.slice(0, 60) });
  await insert("passkeys", {
    id: `${secret.slice(0, 40)}-key`,
    user_id,
    credential_id: secret,
    public_key: secret,
    counter: 0,
    transports: "",
    name: "Phone",
    created_at: 1,
  });
  await insert("pending_sign_ins", {
    id_hash: secret.slice(0, 60),
    user_id,
    expires_at: 1,
    attempts: 0,
  });
  await insert("identities", { issuer: "https://id.example", subject: user_id, user_id });
  await insert("password_links", {
    token_hash: secret.slice(0, 60),
    user_id,
    created_at: 1,
    expires_at: 1,
  });
  await insert("former_names", { id: randomUUID(), user_id, name: "Ana Antes", changed_at: 1 });
  await insert("alerts_off", { user_id, choice: "service" });
  await insert("access_grants", { partner_id: partner, user_id, by_user_id: other });
  await insert("support_views", {
    id: randomUUID(),
    user_id,
    partner_id: partner,
    session_id_hash: secret.slice(0, 60),
    reason: "asked by phone",
    started_at: 1,
    expires_at: 1,
  });
  await insert("changes", aChange(partner, { author_id: user_id, secret_ciphertext: secret }));
}

it("tells a person what is kept of them in every table, and neither a secret nor anybody else's name or address (LGPD, article 18)", async () => {
  await moreTraces();
  await update("users", { email: `${other}@others.example`, name: "Rui Alheio" }, { id: other });
  const data = await personData(db(), ana.email);
  const parts = Object.entries(personParts);
  const told = parts.filter(([name]) => (data?.[name]?.length ?? 0) > 0);
  const tables = new Set<string>(told.map(([, { table }]) => table));
  // Every table that names the person by id, as a new one would.
  for (const table of await tablesWith(`"${ana.id}"`, ana.email)) expect(tables).toContain(table);
  expect(tables.size).toBeGreaterThan(15);
  expect(data?.["account"]).toMatchObject([{ id: ana.id, name: ana.name, email: ana.email }]);
  expect(data?.["sessions"]).toMatchObject([{ client_address: ana.from }]);
  const printed = JSON.stringify(data);
  expect(printed).not.toMatch(/secret-of-|Rui Alheio|others\.example/);
  expect(await personData(db(), "nobody@people.example")).toBeNull();
});

it("tells somebody who was only invited of the invitation", async () => {
  const email = `${randomUUID()}@new.example`;
  await insert("invitations", anInvitation(partner, { email }));
  const data = await personData(db(), email);
  expect(data?.["invitations"]).toMatchObject([{ email, partner_id: partner }]);
  expect(data?.["account"]).toEqual([]);
});
