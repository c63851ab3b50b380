import { insert, update } from "@/lib/platform/database/testing/rows";
import {
  aChange,
  anInvitation,
  aSession,
  newPartner,
  newPerson,
  openSaves,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { deleteExpired } from "./housekeeping";

const day = 86_400_000;
const now = Date.now();
const retainDays = 90;

let partner: string;
let person: string;

beforeAll(startHistoryWorld);
beforeEach(async () => {
  partner = await newPartner();
  person = await newPerson(partner, "admin");
});

const ago = (days: number) => now - days * day;

const session = (id_hash: string, absolute_expires_at: number) =>
  insert("sessions", aSession(person, { id_hash, absolute_expires_at }));

type Dates = { expires_at: number; accepted_at?: number; revoked_at?: number };
const invitation = (id: string, dates: Dates) =>
  insert("invitations", anInvitation(partner, { id, ...dates }));

const link = (token_hash: string, expires_at: number, used_at: number | null) =>
  insert("password_links", { token_hash, user_id: person, created_at: 1, expires_at, used_at });

type State = "waiting" | "answered" | "rejected" | "expired" | "void";
const proposal = (id: string, state: State, decided_at: number | null) =>
  insert("changes", aChange(partner, { id, state, decided_at, expires_at: ago(400) }));

const keys = {
  sessions: "id_hash",
  invitations: "id",
  password_links: "token_hash",
  changes: "id",
} as const;

const idsIn = async (table: keyof typeof keys) => {
  const { rows } = await sql<{ key: string }>`
    select ${sql.ref(keys[table])} as key from ${sql.table(table)} order by 1`.execute(db());
  return rows.map(({ key }) => key);
};

it("deletes what is past its retention, and keeps what is live, waiting or followed, however old", async () => {
  await session("live", now + day);
  await session("lately", ago(29));
  await session("old", ago(91));
  await invitation("open", { expires_at: now + day });
  await invitation("accepted", { expires_at: ago(95), accepted_at: ago(91) });
  await invitation("revoked", { expires_at: ago(80), revoked_at: ago(89) });
  await link("unused", now + day, null);
  await link("used", ago(100), ago(100));
  await openSaves(partner, { request_id: "q" });
  await update("changes", { id: "followed" });
  await proposal("answered", "answered", null);
  await proposal("waits", "waiting", null);
  await proposal("rejected", "rejected", ago(91));
  await proposal("undated", "expired", null);
  await proposal("given up", "void", null);
  await update("changes", { created_at: 1 });

  const gone = await deleteExpired(db(), retainDays, now);
  expect(gone).toEqual({ sessions: 1, invitations: 1, password_links: 1, changes: 3 });
  expect(await idsIn("sessions")).toEqual(["lately", "live"]);
  expect(await idsIn("invitations")).toEqual(["open", "revoked"]);
  expect(await idsIn("password_links")).toEqual(["unused"]);
  expect(await idsIn("changes")).toEqual(["answered", "followed", "waits"]);

  await update("changes", { state: "closed", closed_at: ago(91) }, { id: "followed" });
  expect(await deleteExpired(db(), retainDays, now)).toEqual({ changes: 1 });
  expect(await idsIn("changes")).toEqual(["answered", "waits"]);
});

it("deletes in parts until no row is left", async () => {
  for (let i = 0; i < 450; i += 1) await session(`${i}`, ago(100));
  expect(await deleteExpired(db(), retainDays, now)).toEqual({ sessions: 450 });
});
