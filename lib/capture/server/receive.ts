import "server-only";
import { captureLimits, kept } from "@/lib/capture/model/capture";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { clientAddress } from "@/lib/platform/http/model/request-context";
import { consumeFrom, enforceLimits, refundTo } from "@/lib/platform/limits/limits";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { Secret } from "@/lib/platform/runtime/secret";
import { fingerprint, partnerMac } from "@/lib/platform/secrets/partner-mac";
import { showsValue } from "@/lib/webhooks/server/observe/look";
import { loadKnown } from "@/lib/webhooks/server/observe/observed";
import type { SaveState } from "@/lib/history/model/kind";
import { stateOf } from "@/lib/webhooks/server/observe/said";
import { saveIn } from "@/lib/webhooks/server/observe/save-record";
import type { Transaction } from "kysely";
import { timingSafeEqual } from "node:crypto";
import { addressOf, captureOrigin } from "./address";
import { keptBody, keptHeaders, readBody, sealContent, type Content } from "./content";
import { countFacts } from "./facts";

/** A message to a receiving address, as it comes. `body`: reads it, once. */
export type Message = {
  method: string;
  headers: Headers;
  body: (keep: number, most: number) => Promise<{ start: Uint8Array; bytes: number }>;
};

/**
 * Keeps a message to a receiving address: once this resolves, it is in the database, and people see it. Throws
 * `not_found` for an address that is not on, `body_too_large` or `too_many_requests`; nothing of the message is kept then.
 */
export async function receive(token: string, { method, headers, body }: Message): Promise<void> {
  const capture = await findCapture(db(), token);
  const origin = capture && captureOrigin(capture.environment);
  if (!origin) throw new ProblemError("not_found");
  const { start, bytes } = await body(captureLimits.keptBytes, captureLimits.bodyBytes);
  const at = { seconds: 60, key: `arrivals at ${capture.id}` };
  await enforceLimits([
    { ...at, most: captureLimits.perMinute },
    { ...at, key: `bytes of ${at.key}`, most: captureLimits.bytesPerMinute, weight: bytes },
  ]);
  const from = clientAddress(headers);
  const value = headers.get("authorization");
  const url = addressOf(origin, token);
  await db()
    .transaction()
    .execute(async (trx) => {
      const now = databaseTime();
      // Others to the same address wait. Somebody may have switched it off meanwhile.
      const counted = await trx
        .updateTable("captures")
        .set((eb) => ({ arrived: eb("arrived", "+", 1) }))
        .where("id", "=", capture.id)
        .returning(["arrived", "timed_save_id"])
        .executeTakeFirst();
      if (!counted) throw new ProblemError("not_found");
      const { arrived: number } = counted;
      const { text, isBase64 } = keptBody(start);
      const said = readBody(text, capture.partner_id);
      const body_mac = await bodyMac(trx, capture, start, bytes);
      if (!said.isCheck) {
        const repeated = bytes > 0 ? await sinceLast(trx, capture, body_mac, now) : null;
        const save = await firstAfterSave(trx, capture, url, counted.timed_save_id, now);
        const { partner_id, environment, type } = capture;
        await countFacts(trx, { partner_id, environment, type }, now, [
          ...(from === null ? [] : [{ fact: "from" as const, value: from }]),
          ...said.events.map((event) => ({ fact: "event" as const, value: event })),
          ...(repeated === null ? [] : [{ fact: "repeated" as const, ms: repeated }]),
          ...(save === null ? [] : [{ fact: "after_save" as const, ms: save }]),
        ]);
      }
      const content: Content = {
        method,
        from,
        authorization: await compare(trx, capture, value, now),
        headers: keptHeaders(headers),
        bytes,
        ...said,
        text,
        isBase64,
      };
      const place = { partnerId: capture.partner_id, captureId: capture.id, number };
      const content_ciphertext = await sealContent(trx, place, content);
      await trx
        .insertInto("arrivals")
        .values({ capture_id: capture.id, number, at: now, body_mac, content_ciphertext })
        .execute();
      await trx
        .deleteFrom("arrivals")
        .where("capture_id", "=", capture.id)
        .where(({ eb, or }) =>
          or([eb("number", "<=", number - kept.messages), eb("at", "<", now - kept.ms)]),
        )
        .execute();
    });
}

type Found = NonNullable<Awaited<ReturnType<typeof findCapture>>>;

/** Undefined where it is off or over, or its partner is suspended. A token is too long to be guessed. */
function findCapture(executor: Executor, token: string) {
  return executor
    .selectFrom("captures")
    .innerJoin("partners", "partners.id", "captures.partner_id")
    .leftJoin("connections", (join) =>
      join
        .onRef("connections.partner_id", "=", "captures.partner_id")
        .onRef("connections.environment", "=", "captures.environment"),
    )
    .select(["captures.id", "captures.partner_id", "captures.environment", "captures.type"])
    .select(["connections.id as connection_id", "connections.client_id"])
    .where("token_hash", "=", hashOf(token))
    .where("expires_at", ">", databaseTime())
    .where("partners.suspended_at", "is", null)
    .executeTakeFirst();
}

/** Of one body, and of another one only by chance: of a longer one, its length and what is kept are compared. */
function bodyMac(trx: Executor, { partner_id }: Found, start: Uint8Array, bytes: number) {
  return partnerMac(
    trx,
    partner_id,
    "arrival",
    `${bytes} ${Buffer.from(start).toString("base64")}`,
  );
}

/** Milliseconds since the last message with this body; null: none of those that are kept has it. */
async function sinceLast(trx: Executor, { id }: Found, bodyMac: string, now: number) {
  const last = await trx
    .selectFrom("arrivals")
    .select("at")
    .where("capture_id", "=", id)
    .where("body_mac", "=", bodyMac)
    .orderBy("number", "desc")
    .executeTakeFirst();
  return last ? now - last.at : null;
}

const withoutEffect: ReadonlySet<SaveState> = new Set(["unchanged", "not_sent", "refused"]);
/** With more in a row that had no effect, nothing is said. */
const maxSaves = 10;

/** Milliseconds since somebody saved this address, of the first message after that; null for any other message. */
async function firstAfterSave(
  trx: Transaction<Database>,
  { id, partner_id, environment, type }: Found,
  url: string,
  timed: string | null,
  now: number,
): Promise<number | null> {
  const saves = await trx
    .selectFrom("changes")
    .selectAll()
    .where("partner_id", "=", partner_id)
    .where("environment", "=", environment)
    .where("kind", "=", "webhooks")
    .where("applies_to", "in", [type, "both"])
    .where("sent_at", "!=", 0)
    .where("state", "!=", "void")
    .orderBy("created_at", "desc")
    .limit(maxSaves)
    .execute();
  // Whether it was shown counts here, and not when.
  for (const save of saves.map((row) => saveIn(row, now))) {
    const ofType = save.types.find((each) => each.type === type);
    // The service goes on with what was saved before.
    if (!ofType || withoutEffect.has(stateOf(ofType))) continue;
    if (save.id === timed || ofType.asked.callbackUrl !== url) return null;
    await trx
      .updateTable("captures")
      .set({ timed_save_id: save.id })
      .where("id", "=", id)
      .execute();
    return Math.max(0, now - save.askedAt);
  }
  return null;
}

/** Other values than the registered one, of which nobody learns any more within the hour that they are others. */
const maxGuesses = { most: 20, seconds: 3_600 };

/**
 * Whether a header has exactly the registered value: by digests, since Gancho keeps no value. It is counted before it is
 * compared: whoever knows the address could otherwise try values.
 */
async function compare(
  trx: Transaction<Database>,
  capture: Found,
  value: string | null,
  now: number,
): Promise<Content["authorization"]> {
  if (value === null) return "none";
  const registered = await registeredDigest(trx, capture);
  if (registered === null) return "not_known";
  const guesses = { key: `other values at ${capture.id}`, ...maxGuesses };
  if (!(await consumeFrom(trx, guesses, now)).allowed) return "not_compared";
  const given = await fingerprint(trx, capture.partner_id, new Secret(value));
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(registered))) return "other";
  await refundTo(trx, guesses);
  return "equal";
}

/** The digest of the value that the service shows, or else of the one that Gancho sent last; null: none is known. */
async function registeredDigest(
  trx: Executor,
  { connection_id, client_id, environment, type }: Found,
): Promise<string | null> {
  const baseUrl = env().environments.get(environment);
  if (connection_id === null || client_id === null || baseUrl === undefined) return null;
  const connection = { id: connection_id, baseUrl, clientId: client_id };
  const { last } = await loadKnown(trx, { connection });
  const { shown, sentValue = null } = last?.types[type] ?? {};
  const state = shown?.state ?? null;
  return state && showsValue(state) && !state.conflict ? state.fingerprint : sentValue;
}
