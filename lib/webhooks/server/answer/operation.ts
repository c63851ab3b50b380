import "server-only";
import { decisionOn, type ProposalRow } from "@/lib/changes/server/proposals";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { sessionLife } from "@/lib/platform/auth/sessions/sessions";
import { holdLease, isLeaseLost } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock, timeOfDay } from "@/lib/platform/database/steady-clock";
import type { ChangeRow } from "@/lib/platform/database/tables";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import { take, type Limit } from "@/lib/platform/limits/limits";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { Secret } from "@/lib/platform/runtime/secret";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { askedOf } from "@/lib/webhooks/model/asked";
import type {
  Configuration,
  NoResult,
  SaveResult,
  SaveStep,
  WaitingResult,
} from "@/lib/webhooks/model/configuration";
import { changeIdPattern, type SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { settleLeftBehind } from "@/lib/webhooks/server/observe/follow";
import { loadKnown, type LastLook } from "@/lib/webhooks/server/observe/observed";
import { requireKnownConnection } from "@/lib/webhooks/server/observe/reading";
import { fingerprintOrNull, type ConnectionRef } from "@/lib/webhooks/server/observe/remote-state";
import { outcomeOf, stateOf } from "@/lib/webhooks/server/observe/said";
import {
  askedIn,
  rowOf,
  saveIn,
  versionsIn,
  type SaveRecord,
} from "@/lib/webhooks/server/observe/save-record";
import type { SaveProgress } from "@/lib/webhooks/server/save/hold";
import { sql } from "kysely";
import { isDeepStrictEqual } from "node:util";
import { isOpen, present, untilOf } from "./configuration";
import { readAt } from "./read";

/** Validates a save's id in a path. Throws `not_found`. */
export function requireChangeId(id: string): string {
  if (!changeIdPattern.test(id)) throw new ProblemError("not_found");
  return id;
}

/**
 * The outcome of one save, by its id. Reads the service again first, which resolves what can be resolved. If a person
 * who may save asks for an unknown id, it can never take effect from then on, so that the answer stays true; anybody
 * else's question changes nothing. Throws `not_found` or `not_connected`.
 */
export async function readOperation(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
  changeId: string,
  options: CallOptions,
): Promise<SaveResult | WaitingResult | NoResult> {
  requireChangeId(changeId);
  const connection = await requireKnownConnection(access, environmentName);
  const { connectionRef } = connection;
  const configuration = await readAt(connection, options);
  const recorded = () => recordedAnswer(connectionRef, changeId, configuration);
  const answered =
    (await recorded()) ??
    (may(access.role, "webhooks.write")
      ? await makeVoid(connectionRef, { changeId, ...options }, access.viewer, recorded)
      : "not_known");
  return typeof answered === "string"
    ? { outcome: answered, operation: changeId, configuration }
    : answered;
}

type Place = { partner: string; environment: string; changeId: string };

const inThisProcess = () => processWide("save-progress", () => new Map<string, SaveProgress>());
const nameOf = ({ partner, environment, changeId }: Place) =>
  JSON.stringify([partner, environment, changeId]);

/** Publishes the progress of a save in this process, until the returned function is called. */
export function showProgress(of: Place, progress: SaveProgress): () => void {
  const name = nameOf(of);
  inThisProcess().set(name, progress);
  return () => {
    if (inThisProcess().get(name) === progress) inThisProcess().delete(name);
  };
}

/**
 * The step of a save in progress. In memory alone, so that no save waits for storing it; other processes answer null.
 * Throws `not_found`.
 */
export function readStep(
  { partner }: PartnerAccess<"webhooks.read">,
  environmentName: string,
  changeId: string,
): SaveStep | null {
  const { name: environment } = requireEnvironment(environmentName);
  return inThisProcess().get(nameOf({ partner: partner.id, environment, changeId }))?.step ?? null;
}

/** Per connection. Beyond this, the answer for an unknown save is `not_known`. */
const maxVoid = 1_000;
/** An older request had a session that has ended since; three times that, in case clocks were set. */
const keptVoidMs = 3 * sessionLife.absolute;

/** Nobody really loses more saves than this: keeps one person from using up `maxVoid`. */
const voidLimits = (person: string): Limit[] => [
  { key: `lost saves of ${person} in ten minutes`, most: 20, seconds: 600 },
  { key: `lost saves of ${person} in a day`, most: 100, seconds: 86_400 },
];

/** null: it never arrived, or another process has it and has recorded nothing yet. */
async function recordedAnswer(
  connectionRef: ConnectionRef,
  changeId: string,
  configuration: Configuration,
): Promise<SaveResult | WaitingResult | NoResult | null> {
  const { partnerId: partner, environment } = connectionRef;
  // Checked before the row, so that a save that ends meanwhile is found there.
  const isHere = inThisProcess().has(nameOf({ partner, environment, changeId }));
  const rest = { operation: changeId, configuration };
  const row = await settledChange(connectionRef, changeId);
  if (!row) return isHere ? { outcome: "in_progress", ...rest } : null;
  if (row.kind !== "webhooks") return { outcome: "not_known", ...rest };
  const { last } = await loadKnown(db(), connectionRef);
  const answer = await toResult(row, last);
  return typeof answer === "string" ? { outcome: answer, ...rest } : { ...answer, configuration };
}

/**
 * Makes sure that an unknown save which still arrives, or waits for the lock, is refused. Only the holder of the lock
 * knows that no save is about to begin.
 */
async function makeVoid<Answer>(
  { partnerId, environment, connection }: ConnectionRef,
  { changeId, requestId }: { changeId: string; requestId: string },
  person: { id: string },
  recorded: () => Promise<Answer | null>,
): Promise<Answer | "none" | "not_known"> {
  // Not `too_many_requests`, which would claim that nothing was changed.
  if ((await take(db(), voidLimits(person.id))) !== null) return "not_known";
  if (await isInHistory({ partnerId, environment }, changeId)) return "not_known";
  const lease = await lockConnection(connection.id, saveTimings.waitForOperationMs, "questions");
  if (!lease) return (await recorded()) ?? "not_known";
  try {
    const answered = await recorded();
    if (answered) return answered;
    const isVoid = await db()
      .transaction()
      .execute(async (trx) => {
        await holdLease(trx, lease);
        const now = Date.now();
        await trx
          .deleteFrom("changes")
          .where("connection_id", "=", connection.id)
          .where("state", "=", sql.lit("void"))
          .where("created_at", "<", now - keptVoidMs)
          .execute();
        const { count } = await trx
          .selectFrom("changes")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("connection_id", "=", connection.id)
          .where("state", "=", sql.lit("void"))
          .executeTakeFirstOrThrow();
        if (count >= maxVoid) return false;
        // Takes the save's id, so that it cannot be recorded any more.
        await trx
          .insertInto("changes")
          .values({
            partner_id: partnerId,
            environment,
            id: changeId,
            connection_id: connection.id,
            kind: "webhooks",
            state: "void",
            author_id: person.id,
            created_at: now,
            closed_at: now,
            request_id: requestId,
            base_url: connection.baseUrl,
            client_id: connection.clientId,
          })
          .execute();
        return true;
      });
    return isVoid ? "none" : "not_known";
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
    return "not_known";
  } finally {
    await lease.release();
  }
}

/** Its row was deleted once it had been over for long. */
async function isInHistory(
  { partnerId, environment }: EnvironmentRef,
  changeId: string,
): Promise<boolean> {
  const entry = await db()
    .selectFrom("history")
    .select("seq")
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("detail_json", "like", `%"${changeId}"%`)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}

type SaveFields = Omit<SaveRequest, "revision">;

/**
 * The answer to a submission that was received before; null where there is none yet. The caller holds the lock, has
 * settled what was left behind, and has begun no save. Throws `invalid_fields` where it was for another change, `save_given_up` where an earlier answer said
 * that nothing was sent, and `proposal_over` where it waited for a second person, and ended without being approved.
 */
export async function repeatedAnswer(
  connectionRef: ConnectionRef,
  changeId: string,
  again: SaveFields,
  personId: string,
): Promise<SaveResult | WaitingResult | null> {
  const row = await findChange(connectionRef, changeId);
  if (!row) return null;
  const { last } = await loadKnown(db(), connectionRef);
  const answer = await toResult(row, last);
  if (answer === "none") throw new ProblemError("save_given_up", { applied: "no" });
  await requireSame(again, row, personId);
  if (typeof answer === "string")
    throw new ProblemError("proposal_over", { applied: "no", extra: { state: answer } });
  return { ...answer, configuration: last && (await present(connectionRef, last)) };
}

/** The row of a change; where a crash left it behind, with what is known of it. */
async function settledChange(
  connectionRef: ConnectionRef,
  changeId: string,
): Promise<ProposalRow | undefined> {
  const row = await findChange(connectionRef, changeId);
  if (row?.state !== "sent") return row;
  await settleLeftBehind(connectionRef.connection.id, connectionRef);
  return findChange(connectionRef, changeId);
}

/** The row of a change. */
async function findChange(
  { partnerId, environment }: EnvironmentRef,
  changeId: string,
): Promise<ProposalRow | undefined> {
  return db()
    .selectFrom("changes")
    .selectAll()
    .select((eb) => eb("expires_at", "<=", timeOfDay()).as("overdue"))
    .where(rowOf({ partnerId, environment, id: changeId }))
    .executeTakeFirst();
}

/** Whether a save with this id is recorded and not void; for an approval, whether the change is approved. */
export async function isRecorded(
  ref: EnvironmentRef,
  changeId: string,
  isApproval: boolean,
): Promise<boolean> {
  const row = await findChange(ref, changeId);
  if (row?.kind !== "webhooks" || row.state === "void") return false;
  return !isApproval || decisionOn(row) === "approved";
}

/** `last`: the last look at the connection. */
async function toResult(
  row: ProposalRow,
  last: LastLook | null,
): Promise<SaveResult | WaitingResult | Exclude<NoResult["outcome"], "not_known">> {
  const { id: changeId, request_id: requestId, state } = row;
  switch (state) {
    case "void":
      return "none";
    case "waiting": {
      if (row.overdue) return "expired";
      const rest = { configuration: null, requestId, operation: changeId };
      return { outcome: "waiting", results: [], proposal: changeId, ...rest };
    }
    case "rejected":
    case "withdrawn":
    case "replaced":
    case "expired":
      return state;
    case "sent":
      return "in_progress";
    default:
      return resultOf(saveIn(row, await readSteadyClock()), last);
  }
}

/** Only its own author may repeat it: to anybody else, the answer would tell whether they guessed the value. */
async function requireSame(again: SaveFields, row: ChangeRow, personId: string): Promise<void> {
  const { authorization } = again;
  const value = authorization.action === "replace" ? new Secret(authorization.value) : null;
  const fingerprint = await fingerprintOrNull(db(), row.partner_id, value);
  const isSame =
    row.author_id === personId &&
    isDeepStrictEqual(askedIn(row), askedOf(again)) &&
    versionsIn(row.desired_json).every(
      ({ state }) => value === null || state?.fingerprint === fingerprint,
    );
  if (!isSame) throw fieldRefused("operation", "operation_reused");
}

/** What is said of a save, as the browser gets it, chosen field by field. `last`: the last look at the connection. */
export function resultOf(save: SaveRecord, last: LastLook | null): SaveResult {
  const iso = (ms: number) => new Date(ms).toISOString();
  const results = save.types.map((each) => {
    const outcome = stateOf(each);
    const [shownAt, shownUntil] =
      outcome === "saved"
        ? [each.shownAt, each.shownUntil]
        : outcome === "partly"
          ? [each.addressAt, each.addressUntil]
          : [];
    // Once it is closed, later looks are none for it: they may be another client's.
    const looked = save.state === "closed" ? each : last?.types[each.type];
    const lookedAt = looked?.lookedAt ?? 0;
    const isLooked = outcome !== "not_sent" && outcome !== "unchanged" && lookedAt > save.askedAt;
    return {
      type: each.type,
      outcome,
      ...(shownAt !== undefined && { shownAt: iso(shownAt) }),
      ...(shownUntil !== undefined && { shownUntil: iso(shownUntil) }),
      ...(typeof each.answer === "number" && { answered: each.answer }),
      ...(isLooked && { lookedAt: iso(lookedAt) }),
      ...(isOpen(save, each) && { until: untilOf(save) }),
      ...(each.value && outcome !== "saved" && outcome !== "unchanged" && { value: each.value }),
    };
  });
  return {
    outcome: outcomeOf(results.map(({ outcome }) => outcome)),
    results,
    configuration: null,
    requestId: save.requestId,
    operation: save.id,
    ...(save.problem !== null && { reason: save.problem }),
  };
}
