import { insert, update } from "@/lib/platform/database/testing/rows";
import {
  newPartner,
  newPerson,
  openSave,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { deleteExpired } from "./housekeeping";

const day = 86_400_000;
const now = Date.now();
const retainDays = 90;

let partner: string;
let person: string;

beforeAll(startHistoryWorld);
afterAll(() => db().destroy());
beforeEach(async () => {
  partner = await newPartner();
  person = await newPerson(partner, "admin");
});

const ago = (days: number) => now - days * day;

async function session(absolute_expires_at: number): Promise<string> {
  const id_hash = randomUUID();
  await insert("sessions", {
    id_hash,
    user_id: person,
    absolute_expires_at,
    signed_in_at: 1,
    last_seen_at: 1,
  });
  return id_hash;
}

async function invitation(dates: {
  expires_at: number;
  accepted_at?: number;
  revoked_at?: number;
}): Promise<string> {
  const id = randomUUID();
  await insert("invitations", {
    id,
    partner_id: partner,
    token_hash: id,
    email: `${id}@test.example`,
    role: "editor",
    invited_by: "Ana",
    invited_by_id: "inviter",
    created_at: 1,
    ...dates,
  });
  return id;
}

async function link(expires_at: number, used_at: number | null): Promise<string> {
  const token_hash = randomUUID();
  await insert("password_links", {
    token_hash,
    user_id: person,
    created_at: 1,
    expires_at,
    used_at,
  });
  return token_hash;
}

async function proposal(
  state: "waiting" | "rejected" | "expired" | "void",
  decided_at: number | null,
): Promise<string> {
  const id = randomUUID();
  await insert("changes", {
    id,
    partner_id: partner,
    environment: "production",
    connection_id: partner,
    kind: "webhooks",
    applies_to: "pix_in",
    author_id: person,
    author_name: "Ana",
    created_at: 1,
    expires_at: ago(400),
    state,
    decided_at,
    request_id: "r",
    base_url: "b",
    client_id: "c",
  });
  return id;
}

const keys = {
  sessions: "id_hash",
  invitations: "id",
  password_links: "token_hash",
  changes: "id",
} as const;

const idsIn = async (table: keyof typeof keys) => {
  const { rows } = await sql<{ key: string }>`
    select ${sql.ref(keys[table])} as key from ${sql.table(table)}`.execute(db());
  return rows.map(({ key }) => key);
};

it("deletes what is past its retention, and keeps what is live, waits or is followed however old", async () => {
  const [live, lately, old] = [
    await session(now + day),
    await session(ago(29)),
    await session(ago(91)),
  ];
  const open = await invitation({ expires_at: now + day });
  const accepted = await invitation({ expires_at: ago(95), accepted_at: ago(91) });
  const revoked = await invitation({ expires_at: ago(80), revoked_at: ago(89) });
  const unused = await link(now + day, null);
  const used = await link(ago(100), ago(100));
  await openSave(partner, "followed", "sent");
  const waits = await proposal("waiting", null);
  const rejected = await proposal("rejected", ago(91));
  const undated = await proposal("expired", null);
  const givenUp = await proposal("void", null);
  await update("changes", { created_at: 1 });

  const gone = await deleteExpired(db(), retainDays, now);
  expect(gone).toEqual({ sessions: 1, invitations: 1, password_links: 1, changes: 3 });
  expect(await idsIn("sessions")).toEqual(expect.arrayContaining([live, lately]));
  expect(await idsIn("sessions")).not.toContain(old);
  expect(await idsIn("invitations")).toEqual(expect.arrayContaining([open, revoked]));
  expect(await idsIn("invitations")).not.toContain(accepted);
  expect(await idsIn("password_links")).toContain(unused);
  expect(await idsIn("password_links")).not.toContain(used);
  expect(await idsIn("changes")).toContain(waits);
  for (const id of [rejected, undated, givenUp]) expect(await idsIn("changes")).not.toContain(id);
  expect(await idsIn("changes")).toHaveLength(2);

  await db()
    .updateTable("changes")
    .set({ state: "closed", closed_at: ago(91) })
    .where("id", "!=", waits)
    .execute();
  expect(await deleteExpired(db(), retainDays, now)).toEqual({ changes: 1 });
  expect(await idsIn("changes")).toEqual([waits]);
});

it("takes as many parts as there are rows", async () => {
  for (let i = 0; i < 450; i += 1) await session(ago(100));
  expect(await deleteExpired(db(), retainDays, now)).toEqual({ sessions: 450 });
});
