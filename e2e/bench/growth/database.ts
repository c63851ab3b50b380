import { lockHeads, recordInEach, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { sessionToken } from "@/lib/platform/auth/sessions/session-token";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import type { Db, Executor } from "@/lib/platform/database/open";
import { makeDataKeys } from "@/lib/platform/secrets/data-key";
import { keyring } from "@/lib/platform/secrets/envelope";
import { people } from "@/lib/platform/secrets/model/people";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { madeUpPartner } from "./made-up-partner";
import { seedPartners } from "./seed-partners";

export const environment = "production";

/** Of each partner, and further ones of those that are opened: a page of them and more. */
export const entriesEach = 10;
const entriesOfOpened = 30;

/** Partners that are opened, in turn; and others that are looked for. */
export const maxOpened = 12;
/** People who sign in by password: nobody may do that too often. */
const withPassword = 30;
export const password = "a password of the benchmark";

const rowsAtOnce = 500;
const day = 86_400_000;

export type Opened = { partner: string; cookie: string };

/** Who asks, and for what. */
export type Cast = {
  opened: Opened[];
  /** Partners that somebody looks for. */
  sought: { partner: string; name: string; host: string }[];
  /** Cookies. */
  support: string;
  operator: string;
  /** Addresses of those who sign in by password. */
  signingIn: string[];
};

/**
 * So many partners as they are in use, each with an admin who is signed in, a connection that is read in the background,
 * and entries of history. The entries of those whom nobody opens are copies: they count, and nobody reads them.
 */
export async function fill(db: Db, partners: number, serviceUrl: string): Promise<Cast> {
  await seedPartners(db, partners, { environment, baseUrl: serviceUrl });
  const staff = {
    support: await addStaff(db, "support"),
    operator: await addStaff(db, "operator"),
  };
  const signingIn = await addPeopleWithPasswords(db);
  for (let from = 1; from <= partners; from += rowsAtOnce)
    await addAdmins(db, from, Math.min(partners, from + rowsAtOnce - 1));
  await copyEntries(db);
  await watched(db, serviceUrl);

  const numbers = healthy(partners);
  const step = Math.max(1, Math.floor(numbers.length / maxOpened));
  const chosen = numbers.filter((_, at) => at % step === 0).slice(0, maxOpened);
  for (let round = 0; round < entriesOfOpened; round += 1) await addEntries(db, chosen);
  for (let round = 0; round < entriesOfOpened; round += 1) await signedIn(db, round);
  const opened: Opened[] = [];
  for (const n of chosen)
    opened.push({ partner: madeUpPartner(n).id, cookie: await signIn(db, adminOf(n)) });
  const others = numbers.filter((n) => madeUpPartner(n).asked && !chosen.includes(n));
  return {
    opened,
    signingIn,
    sought: soughtAmong(others.length > 0 ? others : numbers),
    support: await signIn(db, staff.support),
    operator: await signIn(db, staff.operator),
  };
}

/** Spread over all; where the only ones were opened, their hosts are those of the bench's service. */
function soughtAmong(numbers: readonly number[]): Cast["sought"] {
  const step = Math.max(1, Math.floor(numbers.length / maxOpened));
  return numbers
    .filter((_, at) => at % step === 0)
    .map((n) => {
      const { id, name, urls } = madeUpPartner(n);
      const url = numbers.length > 1 ? (urls.pix_in ?? urls.pix_out) : null;
      return { partner: id, name, host: new URL(url ?? "https://hooks.example").host };
    });
}

/** Those that are not suspended; the first one in any case. */
function healthy(partners: number): number[] {
  const all = Array.from({ length: partners }, (_, i) => i + 1);
  const found = all.filter((n) => !madeUpPartner(n).suspended);
  return found.length > 0 ? found : [1];
}

const adminOf = (n: number) => `bench-admin-${n}`;

async function signIn(db: Executor, userId: string): Promise<string> {
  const context = { clientAddress: null, userAgent: "bench" };
  const session = await startSession(db, userId, context, { by: "single_sign_on" });
  return `${sessionCookieName(false)}=${await sessionToken(session)}`;
}

function person(id: string) {
  return {
    id,
    email: `${id}@bench.example`,
    name: `Pessoa ${id}`,
    password_hash: null,
    staff_role: null,
    disabled_at: null,
    created_at: Date.now(),
  };
}

async function addStaff(db: Db, role: "support" | "operator"): Promise<string> {
  const id = `bench-${role}`;
  await db
    .insertInto("users")
    .values({ ...person(id), staff_role: role })
    .execute();
  return id;
}

async function addPeopleWithPasswords(db: Db): Promise<string[]> {
  const hash = await hashPassword(password);
  const rows = Array.from({ length: withPassword }, (_, i) => ({
    ...person(`bench-person-${i}`),
    password_hash: hash,
  }));
  await db.insertInto("users").values(rows).execute();
  return rows.map(({ email }) => email);
}

async function addAdmins(db: Db, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const now = Date.now();
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("users")
      .values(numbers.map((n) => person(adminOf(n))))
      .execute();
    await makeDataKeys(
      trx,
      keyring(),
      numbers.map((n) => `@${adminOf(n)}`),
    );
    const role = "admin" as const;
    await trx
      .insertInto("memberships")
      .values(
        numbers.map((n) => ({
          partner_id: madeUpPartner(n).id,
          user_id: adminOf(n),
          role,
          created_at: now,
        })),
      )
      .execute();
    await trx
      .insertInto("sessions")
      .values(
        numbers.map((n) => ({
          id_hash: randomBytes(32).toString("hex"),
          user_id: adminOf(n),
          signed_in_at: now,
          last_seen_at: now,
          absolute_expires_at: now + day / 3,
          client_address: "192.0.2.1",
          user_agent: "bench",
        })),
      )
      .execute();
  });
}

/** Of each partner's first entry, and a sign-in of everybody. */
async function copyEntries(db: Db): Promise<void> {
  const copies = sql.raw(
    Array.from({ length: entriesEach - 1 }, (_, i) => `select ${i + 1} as step`).join(
      " union all ",
    ),
  );
  await sql`insert into history (partner_id, seq, id, environment, at, kind, types, actor_id,
      client_address, request_id, outcome, detail_json, mac)
    select history.partner_id, seq + step, id || '-' || step, ${environment}, at + step, 'connection_checked', '',
      memberships.user_id, '192.0.2.1', id || '-' || step, 'ok',
      '{"clientId":"bench","candidate":false,"problem":null}', mac
    from history join memberships on memberships.partner_id = history.partner_id
    cross join (${copies}) as steps where seq = 1`.execute(db);
  const added = sql`${entriesEach - 1}`;
  await sql`update history_heads set seq = seq + ${added} where partner_id <> ${people}`.execute(
    db,
  );
  await db.transaction().execute(async (trx) => {
    const head = (await lockHeads(trx, [people])).get(people)?.seq ?? 0;
    const detail = JSON.stringify(signedInDetail);
    await sql`insert into history (partner_id, seq, id, environment, at, kind, types, actor_id,
        client_address, request_id, outcome, detail_json, mac)
      select ${people}, ${head} + row_number() over (order by id), 'signed-in-' || id, null, created_at, 'signed_in',
        '', id, '192.0.2.1', 'signed-in-' || id, null, ${detail}, id
      from users`.execute(trx);
    await sql`update history_heads set (seq, mac) =
      (select seq, mac from history where partner_id = ${people} order by seq desc limit 1)
      where partner_id = ${people}`.execute(trx);
  });
}

const signedInDetail = {
  by: "password",
  code: null,
  recoveryCodesLeft: null,
  knownBrowser: true,
  browser: "Firefox",
  system: "Linux",
} as const;

async function signedIn(db: Db, round: number): Promise<void> {
  const id = `bench-person-${round % withPassword}`;
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      kind: "signed_in",
      who: { id, name: `Pessoa ${id}` },
      clientAddress: "192.0.2.1",
      requestId: `bench-${round}`,
      outcome: null,
      detail: signedInDetail,
    }),
  );
}

async function addEntries(db: Db, numbers: readonly number[]): Promise<void> {
  const ids = numbers.map((n) => ({ n, partnerId: madeUpPartner(n).id }));
  await db.transaction().execute(async (trx) => {
    await recordInEach(
      trx,
      ids.map(({ n, partnerId }) => checkOf(n, partnerId)),
    );
  });
}

function checkOf(n: number, partnerId: string): NewHistoryEntry {
  return {
    partnerId,
    environment,
    kind: "connection_checked",
    types: [],
    requestId: "bench",
    actor: { id: adminOf(n), name: `Pessoa ${n}`, clientAddress: "192.0.2.1" },
    outcome: "ok",
    detail: { clientId: partnerId, candidate: false, problem: null },
  };
}

/** Turns and hours of a watch that goes on, as the list of partners has them. */
async function watched(db: Db, baseUrl: string): Promise<void> {
  const now = Date.now();
  await sql`insert into watch_turns (connection_id, environment, due_at, version, base_url,
      client_id, failures, fault_code, failing_since, told_failing_at, confirmed_at, outside_at)
    select connections.id, connections.environment, ${now}, 1, ${baseUrl}, connections.client_id,
      case when seen.fault_code is null then 0 else 3 end, seen.fault_code, seen.failing_since, null, ${now}, null
    from connections join partner_overviews as seen
      on seen.partner_id = connections.partner_id and seen.environment = connections.environment`.execute(
    db,
  );
  const hour = Math.floor(now / 3_600_000);
  await db
    .insertInto("watch_hours")
    .values(
      Array.from({ length: 48 }, (_, i) => ({
        environment,
        hour: hour - i,
        readings: 4,
        failed: 0,
        answered: 4,
        answer_ms: 160,
      })),
    )
    .execute();
}
