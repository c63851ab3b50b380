import "server-only";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import { asKnownNow } from "@/lib/history/server/record/record";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { sessionLife } from "@/lib/platform/auth/sessions/sessions";
import { holdLease, isLeaseLost } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { ChangeRow } from "@/lib/platform/database/tables";
import { take, type Limit } from "@/lib/platform/limits/limits";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { Secret } from "@/lib/platform/runtime/secret";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { processWide } from "@/lib/platform/runtime/process-wide";
import type {
  Configuration,
  NoResult,
  SaveResult,
  SaveStep,
  WaitingResult,
} from "@/lib/webhooks/model/configuration";
import { loadLastKnown } from "@/lib/webhooks/server/read/last-known";
import { lockConnection } from "./connection-lock";
import { fingerprintOrNull, type ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import { decisionOn, type ProposalRow } from "@/lib/changes/server/proposals";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import { sql } from "kysely";
import { isDeepStrictEqual } from "node:util";
import { askedOf } from "@/lib/webhooks/model/asked";
import { present } from "@/lib/webhooks/server/read/present";
import { requireConnectionRef, readAt } from "@/lib/webhooks/server/read/read";
import { operationPattern, type SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { isOpen } from "@/lib/webhooks/server/read/reconcile";
import type { SaveProgress } from "./apply";
import {
  answersIn,
  askedIn,
  rowOf,
  statusIn,
  versionsIn,
  type SaveRecord,
  type SaveStatus,
} from "./save-record";
import { find, sameAddress } from "@/lib/webhooks/model/webhook-version";

/** Validates a save's id in a path. Throws `not_found`. */
export function requireOperation(id: string): string {
  if (!operationPattern.test(id)) throw new ProblemError("not_found");
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
  operation: string,
  options: CallOptions,
): Promise<SaveResult | WaitingResult | NoResult> {
  requireOperation(operation);
  const connectionRef = await requireConnectionRef(access, environmentName);
  const configuration = await readAt(connectionRef, options);
  const known = () => knownOutcome(connectionRef, operation, configuration);
  const answered =
    (await known()) ??
    (may(access.role, "webhooks.write")
      ? await makeVoid(connectionRef, { operation, ...options }, access.viewer, known)
      : "not_known");
  return typeof answered === "string" ? { outcome: answered, operation, configuration } : answered;
}

type Place = { partner: string; environment: string; operation: string };

const inThisProcess = () => processWide("save-progress", () => new Map<string, SaveProgress>());
const nameOf = ({ partner, environment, operation }: Place) =>
  JSON.stringify([partner, environment, operation]);

/** Publishes the progress of a save in this process, until the returned function is called. */
export function showProgress(press: Place, progress: SaveProgress): () => void {
  const name = nameOf(press);
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
  operation: string,
): SaveStep | null {
  const { name: environment } = requireEnvironment(environmentName);
  const press = { partner: partner.id, environment, operation };
  return inThisProcess().get(nameOf(press))?.step ?? null;
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
async function knownOutcome(
  connectionRef: ConnectionRef,
  operation: string,
  configuration: Configuration,
): Promise<SaveResult | WaitingResult | NoResult | null> {
  const press = { partner: connectionRef.partnerId, environment: connectionRef.environment };
  // Checked before the row, so that a save that ends meanwhile is found there.
  const isHere = inThisProcess().has(nameOf({ ...press, operation }));
  const rest = { operation, configuration };
  const row = await findChange(connectionRef, operation);
  if (!row) return isHere ? { outcome: "in_progress", ...rest } : null;
  if (row.kind !== "webhooks") return { outcome: "not_known", ...rest };
  const answer = toResult(row, configuration);
  return typeof answer === "string" ? { outcome: answer, ...rest } : answer;
}

/**
 * Makes sure that an unknown save which still arrives, or waits for the lock, is refused. Only the holder of the lock
 * knows that no save is about to begin.
 */
async function makeVoid<Answer>(
  { partnerId, environment, connection }: ConnectionRef,
  { operation, requestId }: { operation: string; requestId: string },
  person: { id: string; name: string },
  known: () => Promise<Answer | null>,
): Promise<Answer | "none" | "not_known"> {
  // Not `too_many_requests`, which would claim that nothing was changed.
  if ((await take(db(), voidLimits(person.id))) !== null) return "not_known";
  const lease = await lockConnection(connection.id, saveTimings.waitForOperationMs, "questions");
  if (!lease) return (await known()) ?? "not_known";
  try {
    const answered = await known();
    if (answered) return answered;
    const isVoid = await db()
      .transaction()
      .execute(async (trx) => {
        await holdLease(trx, lease);
        const author = await asKnownNow(trx, { ...person, clientAddress: null });
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
            id: operation,
            connection_id: connection.id,
            kind: "webhooks",
            state: "void",
            author_id: author.id,
            author_name: author.name,
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

type SaveFields = Omit<SaveRequest, "revision">;

/**
 * The answer to an operation that was received before; null where there is none yet. Throws `invalid_fields` where it
 * was for another change, `save_given_up` where an earlier answer said that it was not saved, and `proposal_over` where
 * it waited for a second person, and ended without being approved.
 */
export async function repeatedAnswer(
  connectionRef: ConnectionRef,
  operation: string,
  again: SaveFields,
  personId: string,
): Promise<SaveResult | WaitingResult | null> {
  const row = await findChange(connectionRef, operation);
  if (!row) return null;
  const answer = toResult(row, null);
  if (answer === "none") throw new ProblemError("save_given_up", { applied: "no" });
  await requireSame(again, row, personId);
  if (answer === "in_progress") return leftByCrash(row);
  if (typeof answer === "string")
    throw new ProblemError("proposal_over", { applied: "no", extra: { state: answer } });
  const known = await loadLastKnown(db(), connectionRef);
  return { ...answer, configuration: known.confirmed && (await present(connectionRef, known)) };
}

/** All that is known of an operation. */
async function findChange(
  { partnerId, environment }: EnvironmentRef,
  operation: string,
): Promise<ProposalRow | undefined> {
  return db()
    .selectFrom("changes")
    .selectAll()
    .select((eb) => eb("expires_at", "<=", timeOfDay()).as("overdue"))
    .where(rowOf({ partnerId, environment, id: operation }))
    .executeTakeFirst();
}

/** Whether a save with this id is recorded and not void; for an approval, whether the change is approved. */
export async function isRecorded(
  ref: EnvironmentRef,
  operation: string,
  isApproval: boolean,
): Promise<boolean> {
  const row = await findChange(ref, operation);
  if (row?.kind !== "webhooks" || row.state === "void") return false;
  return !isApproval || decisionOn(row) === "approved";
}

function toResult(
  row: ProposalRow,
  configuration: Configuration | null,
): SaveResult | WaitingResult | Exclude<NoResult["outcome"], "not_known"> {
  const { id: operation, request_id: requestId, state } = row;
  switch (state) {
    case "void":
      return "none";
    case "waiting": {
      if (row.overdue) return "expired";
      const rest = { configuration, requestId, operation };
      return { outcome: "waiting", results: [], proposal: operation, ...rest };
    }
    case "rejected":
    case "withdrawn":
    case "replaced":
    case "expired":
      return state;
    default: {
      const status = statusIn(row);
      if (!status) return "in_progress";
      const [before, desired] = [versionsIn(row.before_json), versionsIn(row.desired_json)];
      const save = { before, desired, answers: answersIn(row) };
      return resultOf(save, status, { configuration, requestId, operation });
    }
  }
}

/** A crash left it: nobody holds the lock, and no outcome was recorded. */
function leftByCrash({ id: operation, request_id: requestId }: ChangeRow): SaveResult {
  return { outcome: "unknown", results: [], configuration: null, requestId, operation, open: true };
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

/** The result as the browser gets it, chosen field by field. */
export function resultOf(
  { before, desired, answers }: Pick<SaveRecord, "before" | "desired" | "answers">,
  { outcome, results, problem }: SaveStatus,
  rest: Pick<SaveResult, "configuration" | "requestId" | "operation">,
): SaveResult {
  const moved = results
    .filter((result) => result.outcome === "overwritten")
    .map(({ type }) => type)
    .filter((type) => !sameAddress(find(before, type), find(desired, type)));
  return {
    outcome,
    results: results.map(({ type, outcome: ofType, authorization }) => ({
      type,
      outcome: ofType,
      ...(authorization && { authorization }),
    })),
    ...rest,
    ...(isOpen(results) && { open: true }),
    ...(problem && { reason: problem }),
    ...(moved.length > 0 && { moved }),
    ...(outcome === "saved" && isAfterError(answers) && { afterError: true }),
  };
}

/** True also where a crash lost the service's answer. */
function isAfterError(answers: SaveRecord["answers"]): boolean {
  return !answers || answers.some(({ answer }) => answer !== "acknowledged");
}
