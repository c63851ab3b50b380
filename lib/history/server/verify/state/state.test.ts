import { atTheTerminal, recordPerson } from "@/lib/history/server/record/record-person";
import { db } from "@/lib/platform/database/open";
import { sql } from "kysely";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import { people } from "@/lib/platform/secrets/people";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readAnchors, anchorFile } from "@/lib/history/server/verify/anchor-file";
import {
  newPartner,
  newPerson,
  openSave,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { verifyEveryChain, verifyWithRows } from "@/lib/history/server/verify/verify";
import { acceptState, hasState, recordFirstState, recordState } from "./baseline";
import { describeDifference } from "./describe";
import { guarded, tablesOf } from "./guarded";
import { reconcileChain } from "./reconcile";

let partner: string;
let admin: string;
let editor: string;

/** An installation from before the history had notes of the rows. */
beforeAll(async () => {
  await startHistoryWorld();
});
afterAll(() => db().destroy());

beforeEach(async () => {
  partner = await newPartner();
  admin = await newPerson(partner, "admin");
  editor = await newPerson(partner, "editor");
  await openSave(partner, "r", "recorded");
  await db()
    .updateTable("users")
    .set({ password_hash: "$argon2id$1" })
    .where("id", "=", admin)
    .execute();
  await db()
    .insertInto("vouchers")
    .values({ partner_id: partner, user_id: editor, by_user_id: admin })
    .execute();
  await db()
    .insertInto("four_eyes")
    .values({
      partner_id: partner,
      since: 1,
      switched_on_by: "Ana",
      off_asked_by: null,
      off_asked_name: null,
      off_asked_at: null,
    })
    .execute();
  await db()
    .insertInto("identities")
    .values({ issuer: "https://id.example", subject: `s-${admin}`, user_id: admin, linked_at: 1 })
    .execute();
  await acceptState(db(), [partner, people]);
});

/** The differences in this partner's rows and in those of the people. */
async function differences(): Promise<string[]> {
  const all = [
    ...(await verifyWithRows(db(), partner, [])).differences,
    ...(await verifyWithRows(db(), people, [])).differences,
  ];
  return all.flatMap((one) => describeDifference(one, null));
}

it("finds nothing where nobody changed anything", async () => {
  expect(await differences()).toEqual([]);
});

const mine = () => ({
  users: db().updateTable("users").where("id", "=", editor),
  memberships: db()
    .updateTable("memberships")
    .where("partner_id", "=", partner)
    .where("user_id", "=", editor),
  connections: db().updateTable("connections").where("partner_id", "=", partner),
});

it.each<[string, () => Promise<unknown>, () => string]>([
  [
    "a person was made operator",
    () => mine().users.set({ staff_role: "operator" }).execute(),
    () => `users ${editor}: staff_role: the history says nothing, the row says "operator"`,
  ],
  [
    "a password hash was replaced",
    () =>
      db()
        .updateTable("users")
        .where("id", "=", admin)
        .set({ password_hash: "$argon2id$2" })
        .execute(),
    () =>
      `users ${admin}: password_hash is another value than the one that the history has the digest of`,
  ],
  [
    "a password was set where there was none",
    () => mine().users.set({ password_hash: "$argon2id$2" }).execute(),
    () => `users ${editor}: password_hash: the history says nothing, the row says set`,
  ],
  [
    "an address was replaced",
    () =>
      mine()
        .users.set({ email: `evil-${editor}@x.example` })
        .execute(),
    () => `users ${editor}: email is another value than the one that the history has the digest of`,
  ],
  [
    "an address was said to be proven",
    () => mine().users.set({ address_proven_at: 1 }).execute(),
    () => `users ${editor}: address_proven_at: the history says not set, the row says set`,
  ],
  [
    "four-eyes approval was switched off",
    () => db().deleteFrom("four_eyes").where("partner_id", "=", partner).execute(),
    () =>
      `four_eyes ${partner}: the history says with off_asked_by nothing, off_asked_at nothing, and there is no such row`,
  ],
  [
    "the note of who let whom in was removed",
    () => db().deleteFrom("vouchers").where("partner_id", "=", partner).execute(),
    () =>
      `vouchers ${editor}: the history says with by_user_id "${admin}", and there is no such row`,
  ],
  [
    "a member was made admin",
    () => mine().memberships.set({ role: "admin" }).execute(),
    () => `memberships ${editor}: role: the history says "editor", the row says "admin"`,
  ],
  [
    "a client id was replaced",
    () => mine().connections.set({ client_id: "other" }).execute(),
    () => `connections sandbox: client_id: the history says "c", the row says "other"`,
  ],
  [
    "a sealed secret was replaced",
    () => mine().connections.set({ secret_ciphertext: "v1.x.y.z" }).execute(),
    () =>
      "connections sandbox: secret_ciphertext is another value than the one that the history has the digest of",
  ],
  [
    "a single sign-on account was put in the place of another",
    () =>
      db()
        .updateTable("identities")
        .set({ subject: `evil-${admin}` })
        .where("user_id", "=", admin)
        .execute(),
    () =>
      `identities ${admin}: subject is another value than the one that the history has the digest of`,
  ],
  [
    "an invitation was added",
    () =>
      db()
        .insertInto("invitations")
        .values({
          id: `i-${partner}`,
          partner_id: partner,
          token_hash: `t-${partner}`,
          email: "evil@x.example",
          name: null,
          role: "admin",
          invited_by: "x",
          invited_by_id: "x",
          created_at: 1,
          expires_at: 2,
          accepted_at: null,
          revoked_at: null,
        })
        .execute(),
    () =>
      `invitations i-${partner}: there is a row with email set, role "admin", invited_by_id "x", mailed 0, expires_at 2, accepted_at not set, revoked_at not set, token_hash set that the history knows nothing of`,
  ],
  [
    "a link to choose a password was added",
    () =>
      db()
        .insertInto("password_links")
        .values({
          token_hash: `t-${admin}`,
          user_id: admin,
          created_at: 1,
          expires_at: 2,
          used_at: null,
        })
        .execute(),
    () =>
      `password_links ${admin}: there is a row with token_hash set, expires_at 2, proves nothing that the history knows nothing of`,
  ],
  [
    "a recovery code was added",
    () =>
      db()
        .insertInto("recovery_codes")
        .values({ user_id: admin, code_hash: "h", used_at: null })
        .execute(),
    () =>
      `recovery_codes ${admin}: there is a row with code_hash set that the history knows nothing of`,
  ],
  [
    "a suspended partner's row was changed",
    () => db().updateTable("partners").set({ suspended_at: 1 }).where("id", "=", partner).execute(),
    () => `partners ${partner}: suspended_at: the history says not set, the row says set`,
  ],
])(
  "names the row, what the history says and what it says (threat: %s in the database)",
  async (_, tamper, line) => {
    await tamper();
    expect(await differences()).toEqual([line()]);
    await acceptState(db(), [partner, people]);
    expect(await differences()).toEqual([]);
  },
);

it("names a person, a member and a partner that Gancho did not add (threat: a row of one's own)", async () => {
  const stranger = await newPerson(partner, "admin");
  expect((await differences()).map((line) => line.slice(0, line.indexOf(":")))).toEqual([
    `memberships ${stranger}`,
    `users ${stranger}`,
  ]);
  const other = await newPartner();
  const found = [];
  const { anchors } = await readAnchors(anchorFile());
  for await (const { partnerId, differences } of verifyEveryChain(db(), anchors))
    if (differences.length > 0) found.push(partnerId);
  expect(found.sort()).toEqual([partner, other, people].sort());
  await acceptState(db(), null);
});

it("reports a row that is gone, and one that came back", async () => {
  await db()
    .deleteFrom("memberships")
    .where("partner_id", "=", partner)
    .where("user_id", "=", editor)
    .execute();
  expect(await differences()).toEqual([
    `memberships ${editor}: the history says with role "editor", and there is no such row`,
  ]);
  await record({
    partnerId: partner,
    environment: null,
    kind: "member_removed",
    types: [],
    actor: null,
    requestId: null,
    outcome: null,
    detail: { userId: editor, name: "E", email: "e@x.example", role: "editor" },
  });
  expect(await differences()).toEqual([]);
  await db()
    .insertInto("memberships")
    .values({ partner_id: partner, user_id: editor, role: "admin", created_at: 1 })
    .execute();
  expect(await differences()).toEqual([
    `memberships ${editor}: there is a row with role "admin" that the history knows nothing of`,
  ]);
});

it("ignores a concurrent change by Gancho", async () => {
  let writing = true;
  const writer = (async () => {
    for (let i = 0; writing; i += 1)
      await db()
        .transaction()
        .execute(async (trx) => {
          await trx
            .updateTable("users")
            .set({ password_hash: `$argon2id$${i}` })
            .where("id", "=", admin)
            .execute();
          await recordPerson(trx, {
            ...atTheTerminal,
            kind: "password_link_made",
            outcome: null,
            detail: { userId: admin, name: "A", email: "a@x.example" },
          });
        });
  })();
  for (let i = 0; i < 20; i += 1) expect(await differences()).toEqual([]);
  writing = false;
  await writer;
});

it("accepts the rows of an older version once, and never again (threat: having changed rows noted by a restart)", async () => {
  expect(await hasState(db())).toBe(true);
  await mine().users.set({ staff_role: "operator" }).execute();
  await recordFirstState(db());
  expect(await differences()).toHaveLength(1);
});

it("reads one person's rows by an index in each table (threat: everybody's sign-in waits for a walk over all people)", async () => {
  const isPostgres = process.env["TEST_ENGINE"] === "postgres";
  for (const table of tablesOf("people")) {
    const { rows } = await (
      isPostgres
        ? sql<{ first: string }>`select a.attname as first from pg_index i
            join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
            where i.indrelid = ${table}::regclass`
        : sql<{
            first: string;
          }>`select (select name from pragma_index_info(l.name) where seqno = 0) as first
            from pragma_index_list(${table}) as l`
    ).execute(db());
    expect([table, rows.map(({ first }) => first)]).toEqual([
      table,
      expect.arrayContaining([guarded[table].owner]),
    ]);
  }
});

it("has no value in its notes that must not be readable (threat: guessing a password from the history)", async () => {
  const { detail_json } = await db()
    .selectFrom("history")
    .select("detail_json")
    .where("partner_id", "=", people)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(detail_json).toContain("password_hash");
  expect(detail_json).not.toContain("$argon2id");
  expect(detail_json).not.toContain(`s-${admin}`);
});

it("goes through more people than it keeps at once, in parts", async () => {
  const now = Date.now();
  const ids = Array.from({ length: 1_200 }, () => randomUUID());
  for (let from = 0; from < ids.length; from += 1_000)
    await db()
      .insertInto("users")
      .values(
        ids.slice(from, from + 1_000).map((id) => ({
          id,
          email: `${id}@test.example`,
          name: "P",
          password_hash: null,
          staff_role: null,
          disabled_at: null,
          created_at: now,
        })),
      )
      .execute();
  await db()
    .transaction()
    .execute((trx) => recordState(trx, [people], "accepted"));
  const digest = await partnerMacs(db(), people, "state");
  expect(await reconcileChain(db(), people, digest, 100)).toEqual([]);
  await db()
    .deleteFrom("users")
    .where("id", "=", ids[5] ?? "")
    .execute();
  await db()
    .updateTable("users")
    .set({ staff_role: "operator" })
    .where("id", "=", ids[9] ?? "")
    .execute();
  const found = await reconcileChain(db(), people, digest, 100);
  expect(found.map(({ owner }) => owner).sort()).toEqual([ids[5], ids[9]].sort());
});
