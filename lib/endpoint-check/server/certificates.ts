import "server-only";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import { db } from "@/lib/platform/database/open";
import { findEndpoint, type EgressRules } from "@/lib/platform/egress/egress";
import { egressRules } from "@/lib/platform/egress/rules";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { inFlight, isStopping } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { checkCallbackUrl } from "@/lib/webhooks/model/rules/callback-url";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const day = 24 * 60 * 60_000;
/** After this another process takes over a host claimed by one that died, milliseconds. */
const claimMs = 10 * 60_000;
/** Kept for so long after it was due, milliseconds: nobody has it registered any more. */
const keptMs = 30 * day;
/** Hosts of one step, one after the other. */
const most = 20;
/** Where nothing is due, milliseconds. */
const restMs = 5 * 60_000;
/** Days before expiry on which an alert is sent. */
const warnings = [1, 7, 21];

/** Checks the certificates of registered hosts once a day, where that is switched on, until this process stops. */
export function watchCertificates(): void {
  if (env().endpointChecks !== "daily") return;
  void processWide("endpoint-certificates", async () => {
    while (!isStopping()) {
      let seen = 0;
      try {
        seen = await inFlight(checkDueCertificates(Date.now()));
      } catch (err) {
        log.warn({ err }, "certificates could not be looked at");
      }
      if (seen === 0) await pause(restMs, undefined, { ref: false });
    }
  });
}

/** Checks some of the hosts that are due; returns how many. Sends them nothing. */
export async function checkDueCertificates(
  now: number,
  rulesOf: () => Promise<EgressRules> = egressRules,
): Promise<number> {
  await db()
    .deleteFrom("endpoint_certificates")
    .where("due_at", "<", now - keptMs)
    .execute();
  const hosts = await dueHosts(now);
  let seen = 0;
  for (const host of hosts) {
    if (isStopping() || !(await claim(host, now))) continue;
    await seeCertificate(host, now, await rulesOf());
    seen += 1;
  }
  return seen;
}

/** From the list of partners, which has the host of every callback. */
async function dueHosts(now: number): Promise<string[]> {
  const due = async (column: "pix_in_host" | "pix_out_host") => {
    const rows = await db()
      .selectFrom("partner_overviews as o")
      .innerJoin("partners as p", "p.id", "o.partner_id")
      .leftJoin("endpoint_certificates as c", "c.host", `o.${column}`)
      .select(`o.${column} as host`)
      .distinct()
      .where("o.confirmed", "=", 1)
      .where("p.suspended_at", "is", null)
      .where(`o.${column}`, "is not", null)
      .where(({ or, eb }) => or([eb("c.host", "is", null), eb("c.due_at", "<=", now)]))
      .limit(most)
      .execute();
    return rows.flatMap(({ host }) => host ?? []);
  };
  return [...new Set([...(await due("pix_in_host")), ...(await due("pix_out_host"))])];
}

/** Whether this process claimed it. */
async function claim(host: string, now: number): Promise<boolean> {
  const result = await db()
    .insertInto("endpoint_certificates")
    .values({ host, due_at: now + claimMs, seen_at: null, valid_to: null, failure: null })
    .onConflict((conflict) =>
      conflict
        .column("host")
        .doUpdateSet({ due_at: now + claimMs })
        .where("endpoint_certificates.due_at", "<=", now),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

async function seeCertificate(host: string, now: number, rules: EgressRules): Promise<void> {
  const url = `https://${host}/`;
  const found = checkCallbackUrl(url).ok ? await findEndpoint(url, rules) : null;
  const hands = found?.found ? await found.handshake() : null;
  const failure = hands
    ? hands.ok
      ? null
      : hands.because
    : found && !found.found
      ? found.because
      : "bad_address";
  const end = hands?.tls?.certificate?.validTo;
  const validTo = end === undefined ? null : Date.parse(end);
  await db()
    .updateTable("endpoint_certificates")
    // Not all at the same time of the day.
    .set({ due_at: now + Math.round(day * (0.9 + 0.1 * Math.random())), seen_at: now })
    .set({ valid_to: validTo, failure })
    .where("host", "=", host)
    .execute();
  // A certificate refused for another reason has a bigger problem than its expiry.
  if (hands?.ok && validTo !== null) await warn(host, validTo, now);
}

async function warn(host: string, validTo: number, now: number): Promise<void> {
  const days = Math.floor((validTo - now) / day);
  const warning = warnings.find((each) => days <= each);
  if (warning === undefined) return;
  const affected = await db()
    .selectFrom("partner_overviews")
    .select(["partner_id", "environment"])
    .where(({ or, eb }) => or([eb("pix_in_host", "=", host), eb("pix_out_host", "=", host)]))
    .execute();
  const digest = createHash("sha256").update(host).digest("hex").slice(0, 32);
  for (const { partner_id: partnerId, environment } of affected)
    await db()
      .transaction()
      .execute((trx) =>
        enqueueAlert(
          trx,
          { kind: "certificate_expires", partnerId, environment, host, until: validTo, days },
          { once: `certificate:${digest}:${validTo}:${warning}:${partnerId}:${environment}` },
        ),
      );
}
