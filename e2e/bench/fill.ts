import { lockHeads, recordInEach } from "@/lib/history/server/record/record";
import { searchable } from "@/lib/partners/server/list/search-words";
import { secretIdentity } from "@/lib/partners/server/connection";
import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import type { Db } from "@/lib/platform/database/open";
import { insertWith } from "@/lib/platform/database/testing/rows";
import { Secret } from "@/lib/platform/runtime/secret";
import { makeDataKeys } from "@/lib/platform/secrets/data-key";
import { keyring } from "@/lib/platform/secrets/envelope";
import { encryptFor } from "@/lib/platform/secrets/field";
import { people } from "@/lib/platform/secrets/model/people";
import { noTypes } from "@/lib/webhooks/server/observe/observed";
import { overviewOf } from "@/lib/webhooks/server/observe/record-look";
import { lookRows } from "@/lib/webhooks/testing/look-rows";
import type { RemoteState } from "@/lib/webhooks/server/observe/remote-state";
import { eventKinds } from "@/lib/platform/payment-service/contract/terms";
import { sql } from "kysely";
import { createHash, randomBytes } from "node:crypto";

export const environment = "production";

/** History entries of each partner: more than a page. */
export const entriesEach = 40;
/** How many people sign in by password in turn: sign-ins are limited by person. */
const withPassword = 30;
export const password = "a password of the benchmark";
/** Short enough that a transaction does not keep others waiting. */
const batchSize = 250;

const kinds = (
  "Loja Mercado Farmácia Padaria Viação Clube Posto Livraria Clínica Escola Academia Pousada Ótica Papelaria " +
  "Floricultura Restaurante Oficina Transportadora Construtora Distribuidora"
).split(" ");
const owners =
  "Aurora Central Popular Tietê Regatas Ouro Horizonte Bandeirante Cruzeiro Paulista Ipê Safira Olinda".split(
    " ",
  );

/** A plausible partner, the same for the same number on every machine; `n` counts from 1. */
export function madeUp(n: number) {
  const name = `${kinds[n % kinds.length]} ${owners[n % owners.length]} ${n}`;
  const id = `p-${String(n).padStart(7, "0")}`;
  return { n, id, name, host: `hooks.${id}.com.br`, fails: n % 50 === 0 };
}

export const adminOf = (n: number) => `bench-admin-${n}`;
export const emailOf = (id: string) => `${id}@bench.example`;

function person(id: string) {
  return { id, name: `Pessoa ${id}`, email: emailOf(id), created_at: Date.now() };
}

/**
 * Adds this many partners as they are in use, each with an admin who is signed in, a connection that is read in the
 * background, and history entries. All but the first entry of each are copies, which do not verify. Returns the email
 * addresses of the people who sign in by password.
 */
export async function fill(db: Db, partners: number, baseUrl: string): Promise<string[]> {
  for (let from = 1; from <= partners; from += batchSize)
    await addPartners(
      db,
      Array.from({ length: Math.min(batchSize, partners - from + 1) }, (_, i) => madeUp(from + i)),
      baseUrl,
    );
  const password_hash = await hashPassword(password, hashOfProgram);
  const signingIn = Array.from({ length: withPassword }, (_, i) => person(`bench-person-${i}`));
  await insertWith(db, "users", [
    { ...person("bench-support"), staff_role: "support" },
    { ...person("bench-operator"), staff_role: "operator" },
    ...signingIn.map((each) => ({ ...each, password_hash })),
  ]);
  await copyEntries(db);
  await sql`insert into reading_schedule (connection_id, environment, due_at, version, base_url, client_id, failures,
      fault_code, failing_since, confirmed_at)
    select connections.id, connections.environment, ${Date.now()}, 1, ${baseUrl}, connections.client_id, 0,
      seen.fault_code, seen.failing_since, ${Date.now()}
    from connections join partner_overviews as seen
      on seen.partner_id = connections.partner_id and seen.environment = connections.environment`.execute(
    db,
  );
  return signingIn.map(({ email }) => email);
}

async function addPartners(db: Db, made: ReturnType<typeof madeUp>[], baseUrl: string) {
  const now = Date.now();
  await db.transaction().execute(async (trx) => {
    const partners = made.map(({ id, name }) => ({ id, name, words: searchable(name, id) }));
    await insertWith(
      trx,
      "partners",
      partners.map((each) => ({ ...each, created_at: now })),
    );
    const chains = made.flatMap(({ id, n }) => [id, `@${adminOf(n)}`]);
    await makeDataKeys(trx, keyring(), chains);
    const connections = [];
    for (const { id } of made) {
      const secret_ciphertext = await encryptFor(trx, id, secretIdentity(id), new Secret(id));
      const client = { partner_id: id, environment, client_id: id, secret_ciphertext };
      connections.push({ id, ...client, version: 1, updated_at: now });
    }
    await insertWith(trx, "connections", connections);
    const looks = made.map((one) => lookRows(one.id, remoteOf(one), now));
    await insertWith(
      trx,
      "confirmed_configurations",
      looks.map(({ confirmed }) => ({
        ...confirmed,
        base_url: baseUrl,
        client_id: confirmed.connection_id,
      })),
    );
    await insertWith(
      trx,
      "observed_types",
      looks.flatMap(({ types }) => types),
    );
    const overviews = made.map((one) => {
      const { hosts, withoutAuthorization } = overviewOf({ remote: remoteOf(one), types: noTypes });
      return {
        partner_id: one.id,
        environment,
        confirmed: 1 as const,
        pix_in_host: hosts.pix_in,
        pix_out_host: hosts.pix_out,
        words: searchable(hosts.pix_in ?? "", hosts.pix_out ?? ""),
        without_authorization: withoutAuthorization.join(","),
        fault_code: one.fails ? "upstream_timeout" : null,
        fault_request_id: one.fails ? "made-up" : null,
        failing_since: one.fails ? now : null,
        base_url: baseUrl,
        client_id: one.id,
      };
    });
    await insertWith(trx, "partner_overviews", overviews);
    const admins = made.map(({ n, id }) => ({ user_id: adminOf(n), partner_id: id }));
    const people = admins.map(({ user_id }) => person(user_id));
    await insertWith(trx, "users", people);
    const members = admins.map((each) => ({ ...each, role: "admin" as const, created_at: now }));
    await insertWith(trx, "memberships", members);
    const sessions = admins.map(({ user_id }) => ({
      id_hash: randomBytes(32).toString("hex"),
      user_id,
      signed_in_at: now,
      last_seen_at: now,
      absolute_expires_at: now + 8 * 3_600_000,
      client_address: "192.0.2.1",
      user_agent: "bench",
    }));
    await insertWith(trx, "sessions", sessions);
    const entry = { environment: null, types: [], actor: null, requestId: null, outcome: null };
    const created = made.map(({ id: partnerId, name }) => {
      return { ...entry, partnerId, kind: "partner_created" as const, detail: { name } };
    });
    await recordInEach(trx, created);
  });
}

/** About one in twenty shows no Authorization, and one in twelve has only one type. */
function remoteOf({ n, id, host }: ReturnType<typeof madeUp>): RemoteState {
  const shown = {
    callbackUrl: `https://${host}/notificacoes`,
    fingerprint: n % 20 === 0 ? null : createHash("sha256").update(id).digest("hex"),
    authorizationConflict: false,
    duplicate: false,
    inferred: false,
  };
  const pix_in = { ...shown, events: [...eventKinds.pix_in] };
  const pix_out = { ...shown, events: [...eventKinds.pix_out] };
  return {
    webhooks: n % 12 === 0 ? { pix_in } : { pix_in, pix_out },
    unrecognised: [],
    unclear: false,
  };
}

/** Copies each partner's first entry, and adds a sign-in of everybody. */
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
  await sql`update history_heads set seq = seq + ${sql.lit(entriesEach - 1)} where partner_id <> ${people}`.execute(
    db,
  );
  const detail =
    '{"by":"password","code":null,"recoveryCodesLeft":null,"knownBrowser":true,"browser":"Firefox","system":"Linux"}';
  await db.transaction().execute(async (trx) => {
    const head = (await lockHeads(trx, [people])).get(people)?.seq ?? 0;
    await sql`insert into history (partner_id, seq, id, environment, at, kind, types, actor_id,
        client_address, request_id, outcome, detail_json, mac)
      select ${people}, ${sql.lit(head)} + row_number() over (order by id), 'signed-in-' || id, null, created_at,
        'signed_in', '', id, '192.0.2.1', 'signed-in-' || id, null, ${detail}, id
      from users`.execute(trx);
    await sql`update history_heads set (seq, mac) =
      (select seq, mac from history where partner_id = ${people} order by seq desc limit 1)
      where partner_id = ${people}`.execute(trx);
  });
}
