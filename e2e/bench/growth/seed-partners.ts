import { secretIdentity } from "@/lib/partners/server/connection";
import type { Db } from "@/lib/platform/database/open";
import type { Database, PartnerOverviewRow } from "@/lib/platform/database/tables";
import { recordInEach } from "@/lib/history/server/record/record";
import { searchable } from "@/lib/partners/server/list/search-words";
import { makeDataKeys } from "@/lib/platform/secrets/data-key";
import { encryptFor } from "@/lib/platform/secrets/field";
import { keyring } from "@/lib/platform/secrets/envelope";
import { Secret } from "@/lib/platform/runtime/secret";
import { overviewOfKnown } from "@/lib/webhooks/server/read/confirm";
import { storedContent } from "@/lib/webhooks/server/read/last-known";
import type { RemoteState } from "@/lib/webhooks/server/read/remote-state";
import { eventKinds, webhookTypes } from "@/lib/webhooks/model/types";
import type { Insertable, Transaction } from "kysely";
import { createHash, randomUUID } from "node:crypto";
import { type MadeUpPartner, madeUpPartner } from "./made-up-partner";

/** Short enough that a transaction does not keep others waiting. */
const batchSize = 250;

/** Adds the made-up partners 1 to `count`, each with a connection and a last read in the environment. */
export async function seedPartners(
  db: Db,
  count: number,
  service: { environment: string; baseUrl: string },
): Promise<void> {
  for (let done = 0; done < count; done += batchSize) {
    const size = Math.min(batchSize, count - done);
    await insertPartners(
      db,
      Array.from({ length: size }, (_, i) => madeUpPartner(done + i + 1)),
      service,
    );
  }
}

/** Rows of one statement, well within both databases' limit of parameters. */
const rowsPerInsert = 500;

async function insertPartners(
  db: Db,
  partners: readonly MadeUpPartner[],
  service: { environment: string; baseUrl: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const now = Date.now();
    await trx
      .insertInto("partners")
      .values(
        partners.map(({ id, name, suspended }) => ({
          id,
          name,
          words: searchable(name, id),
          created_at: now,
          suspended_at: suspended ? now : null,
        })),
      )
      .execute();
    const ids = partners.map(({ id }) => id);
    await makeDataKeys(trx, keyring(), ids);
    const reads: MadeUpRead[] = [];
    for (const partner of partners) reads.push(await madeUpRead(trx, partner, service, now));
    const overviews = reads.map(({ overview }) => overview);
    await insertAll(
      reads.map(({ connection }) => connection),
      (rows) => trx.insertInto("connections").values(rows),
    );
    await insertAll(
      reads.flatMap(({ confirmed }) => confirmed ?? []),
      (rows) => trx.insertInto("confirmed_configurations").values(rows),
    );
    await insertAll(overviews, (rows) => trx.insertInto("partner_overviews").values(rows));
    await recordInEach(
      trx,
      partners.map(({ id, name }) => ({
        partnerId: id,
        environment: null,
        kind: "partner_created",
        types: [],
        actor: null,
        requestId: null,
        outcome: null,
        detail: { name },
      })),
    );
  });
}

async function insertAll<Row>(
  rows: readonly Row[],
  statement: (some: Row[]) => { execute: () => Promise<unknown> },
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert)
    await statement(rows.slice(from, from + rowsPerInsert)).execute();
}

type MadeUpRead = {
  connection: Insertable<Database["connections"]>;
  /** null where the service was never called. */
  confirmed: Insertable<Database["confirmed_configurations"]> | null;
  overview: PartnerOverviewRow;
};

/** The rows of a partner's connection and of the last read through it. */
async function madeUpRead(
  trx: Transaction<Database>,
  partner: MadeUpPartner,
  { environment, baseUrl }: { environment: string; baseUrl: string },
  now: number,
): Promise<MadeUpRead> {
  const id = randomUUID();
  const secret = new Secret(`made-up-${randomUUID()}`);
  const remote = madeUpRemote(partner);
  return {
    connection: {
      id,
      partner_id: partner.id,
      environment,
      client_id: partner.id,
      secret_ciphertext: await encryptFor(trx, partner.id, secretIdentity(id), secret),
      version: 1,
      created_at: now,
      updated_at: now,
    },
    confirmed: partner.asked
      ? {
          connection_id: id,
          client_id: partner.id,
          confirmed_at: now - partner.lookedAgo,
          asked_at: 0,
          epoch: 1,
          snapshot_json: storedContent({ remote, lastChanges: {} }),
        }
      : null,
    overview: { ...overviewOf(partner, remote, environment, now), base_url: baseUrl },
  };
}

function madeUpRemote({ id, urls, verified }: MadeUpPartner): RemoteState {
  const webhooks: RemoteState["webhooks"] = {};
  for (const type of webhookTypes) {
    const callbackUrl = urls[type];
    if (callbackUrl === null) continue;
    webhooks[type] = {
      callbackUrl,
      fingerprint: verified ? createHash("sha256").update(id).digest("hex") : null,
      authorizationConflict: false,
      events: [...eventKinds[type]],
      duplicate: false,
      inferred: false,
    };
  }
  return { webhooks, unrecognised: [], unclear: false };
}

function overviewOf(
  { id, asked, fault, lookedAgo }: MadeUpPartner,
  remote: RemoteState,
  environment: string,
  now: number,
): Omit<PartnerOverviewRow, "base_url"> {
  const seen = overviewOfKnown({ remote });
  return {
    partner_id: id,
    environment,
    confirmed: asked ? 1 : 0,
    pix_in_host: asked ? seen.hosts.pix_in : null,
    pix_out_host: asked ? seen.hosts.pix_out : null,
    words: asked ? searchable(seen.hosts.pix_in ?? "", seen.hosts.pix_out ?? "") : "",
    without_authorization: asked ? seen.withoutAuthorization.join(",") : "",
    fault_code: fault,
    fault_request_id: fault === null ? null : "made-up",
    failing_since: fault === null ? null : now - lookedAgo,
    client_id: id,
  };
}
