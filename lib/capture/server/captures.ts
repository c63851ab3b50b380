import "server-only";
import {
  kept,
  onForMs,
  type Body,
  type Capture,
  type Captures,
  type Switch,
  type Switched,
} from "@/lib/capture/model/capture";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { Secret } from "@/lib/platform/runtime/secret";
import { decryptFor, encryptFor } from "@/lib/platform/secrets/field";
import type { Selectable, Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { addressOf, captureOrigin, tokenIdentity } from "./address";
import { openContent } from "./content";

type Row = Selectable<Database["captures"]>;

/**
 * Switches the receiving address of a type on, for seven days, or off, which deletes what came. Each time it is switched
 * on it is another address; returns it. Throws `capture_off`, `not_found` or `forbidden`.
 */
export async function switchCapture(
  access: PartnerAccess<"capture.write">,
  environmentName: string,
  { type, on }: Switch,
  context: RequestContext,
): Promise<Switched> {
  const { name: environment } = requireEnvironment(environmentName);
  const origin = captureOrigin(environment);
  if (on && origin === null) throw new ProblemError("capture_off", { applied: "no" });
  const place = { partner_id: access.partner.id, environment, type };
  const token = await db()
    .transaction()
    .execute(async (trx): Promise<string | null> => {
      await recheckRole(trx, access);
      const now = databaseTime();
      const before = await trx
        .selectFrom("captures")
        .selectAll()
        .where((eb) => eb.and(place))
        .executeTakeFirst();
      const present = before && before.expires_at > now ? before : null;
      if (present && on) return tokenOf(trx, present);
      if (!present && !on) return null;
      await trx
        .deleteFrom("captures")
        .where((eb) => eb.and(place))
        .execute();
      const expiresAt = now + onForMs;
      await recordHistory(trx, {
        ...entryBase(access, context),
        environment,
        kind: "capture_switched",
        types: [type],
        outcome: on ? "on" : "off",
        detail: on ? { expiresAt } : {},
      });
      return on ? insertCapture(trx, place, now, expiresAt) : null;
    });
  return { url: token === null || origin === null ? null : addressOf(origin, token) };
}

async function insertCapture(
  trx: Transaction<Database>,
  place: Pick<Row, "partner_id" | "environment" | "type">,
  since: number,
  expires_at: number,
): Promise<string> {
  const [id, token] = [randomUUID(), newToken()];
  const identity = tokenIdentity(id);
  const token_ciphertext = await encryptFor(trx, place.partner_id, identity, new Secret(token));
  await trx
    .insertInto("captures")
    .values({
      id,
      ...place,
      token_hash: hashOf(token),
      token_ciphertext,
      since,
      expires_at,
      arrived: 0,
    })
    .execute();
  return token;
}

async function tokenOf(executor: Executor, row: Row): Promise<string> {
  const { id, partner_id, token_ciphertext } = row;
  return (await decryptFor(executor, partner_id, tokenIdentity(id), token_ciphertext)).reveal();
}

/** The addresses that are on, with what came lately, and what messages have shown. */
export async function readCaptures(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
): Promise<Captures> {
  const { name: environment } = requireEnvironment(environmentName);
  const facts = await db()
    .selectFrom("capture_facts")
    .selectAll()
    .where("partner_id", "=", access.partner.id)
    .where("environment", "=", environment)
    .orderBy("type")
    .orderBy("fact")
    .orderBy("first_at")
    .execute();
  const rows = await liveCaptures(access.partner.id, environment);
  const captures: Capture[] = [];
  for (const row of rows) captures.push(await captureOf(row));
  return {
    offered: captureOrigin(environment) !== null,
    captures: webhookTypes.flatMap((type) => captures.filter((each) => each.type === type)),
    facts: facts.map(({ type, fact, value, times, ...row }) => ({
      type,
      fact,
      value,
      times,
      firstAt: isoOf(row.first_at),
      lastAt: isoOf(row.last_at),
      leastMs: row.least_ms,
      mostMs: row.most_ms,
    })),
  };
}

function liveCaptures(partnerId: string, environment: string): Promise<Row[]> {
  if (captureOrigin(environment) === null) return Promise.resolve([]);
  return db()
    .selectFrom("captures")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("expires_at", ">", databaseTime())
    .execute();
}

async function captureOf(row: Row): Promise<Capture> {
  const { id, partner_id, environment, type } = row;
  const arrivals = [];
  for (const { number, at, content_ciphertext } of await keptArrivals(id)) {
    const place = { partnerId: partner_id, captureId: id, number };
    const content = await openContent(db(), place, content_ciphertext);
    const { method, from, authorization, headers, bytes, events, isCheck } = content;
    const shown = { method, from, authorization, headers, bytes, events, isCheck };
    arrivals.push({ number, at: isoOf(at), ...shown });
  }
  return {
    type,
    url: addressOf(captureOrigin(environment) ?? "", await tokenOf(db(), row)),
    since: isoOf(row.since),
    expiresAt: isoOf(row.expires_at),
    arrivals,
  };
}

/** The newest first. */
function keptArrivals(captureId: string) {
  return db()
    .selectFrom("arrivals")
    .select(["number", "at", "content_ciphertext"])
    .where("capture_id", "=", captureId)
    .where("at", ">", databaseTime() - kept.ms)
    .orderBy("number", "desc")
    .limit(kept.messages)
    .execute();
}

/** The body of one message, named by type and number: `pix_in.3`. Throws `not_found`. */
export async function readArrivalBody(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
  named: string,
): Promise<Body> {
  const { name: environment } = requireEnvironment(environmentName);
  const [type, number] = named.split(".");
  const capture = (await liveCaptures(access.partner.id, environment)).find(
    (each) => each.type === type,
  );
  const found =
    capture && (await keptArrivals(capture.id)).find((each) => `${each.number}` === number);
  if (!found) throw new ProblemError("not_found");
  const place = { partnerId: access.partner.id, captureId: capture.id, number: found.number };
  const { text, isBase64, bytes } = await openContent(db(), place, found.content_ciphertext);
  const length = isBase64 ? Buffer.byteLength(text, "base64") : Buffer.byteLength(text);
  return { text, isBase64, isCut: length < bytes };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
