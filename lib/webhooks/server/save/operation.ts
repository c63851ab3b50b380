import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { sessionLife } from "@/lib/platform/auth/sessions/sessions";
import { holdLease, isLeaseLost } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { ProposalRow } from "@/lib/platform/database/tables";
import { take, type Limit } from "@/lib/platform/limits/limits";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { ProblemError } from "@/lib/platform/http/model/problem";
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
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import { findRow } from "@/lib/webhooks/server/proposals/stored";
import { present } from "@/lib/webhooks/server/read/present";
import { requireConnectionRef, readAt } from "@/lib/webhooks/server/read/read";
import { operationPattern, type SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { isOpen } from "@/lib/webhooks/server/read/reconcile";
import type { SaveProgress } from "./run";
import { findOperation, findOperationOf, type SaveStatus } from "./save-record";
import { canonicalUrl } from "@/lib/webhooks/model/webhook-version";
import { typesOf } from "@/lib/webhooks/model/types";

/**
 * The outcome of one press of save, by its id: the service is read again first, which resolves what can be resolved.
 * Where somebody who may save asks for an unknown operation, it never takes effect from then on, so that the answer
 * stays true; anybody else's question leaves it as it is. Throws `not_found` or `not_connected`.
 */
export async function readOperation(
  access: PartnerAccess<"webhooks.read">,
  environmentName: string,
  operation: string,
  options: CallOptions,
): Promise<SaveResult | WaitingResult | NoResult> {
  if (!operationPattern.test(operation)) throw new ProblemError("not_found");
  const connectionRef = await requireConnectionRef(access, environmentName);
  const configuration = await readAt(connectionRef, options);
  const known = () => whatIsKnown(connectionRef, operation, configuration);
  const answered =
    (await known()) ??
    (may(access.role, "webhooks.write")
      ? await makeVoid(connectionRef, operation, access.viewer.id, known)
      : "not_known");
  return typeof answered === "string" ? { outcome: answered, operation, configuration } : answered;
}

type Press = { partner: string; environment: string; operation: string };

const inThisProcess = () => processWide("save-progress", () => new Map<string, SaveProgress>());
const nameOf = ({ partner, environment, operation }: Press) =>
  JSON.stringify([partner, environment, operation]);

/** Shows how far a save of this process is, until the returned function is called. */
export function showProgress(press: Press, progress: SaveProgress): () => void {
  const name = nameOf(press);
  inThisProcess().set(name, progress);
  return () => {
    if (inThisProcess().get(name) === progress) inThisProcess().delete(name);
  };
}

/**
 * How far a save is that somebody waits for. In memory alone: a save never waits for this to be stored, and other
 * processes answer null. Throws `not_found`.
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

/** Per connection. Beyond this, of an unknown press nothing is known. */
const maxVoid = 1_000;
/** An older request came with a session that has ended; three times that, for clocks that were set. */
const keptVoidMs = 3 * sessionLife.absolute;

/** Who loses more saves than this makes them up: nobody can use up the connection's alone. */
const voidLimits = (person: string): Limit[] => [
  { key: `lost saves of ${person} in ten minutes`, most: 20, seconds: 600 },
  { key: `lost saves of ${person} in a day`, most: 100, seconds: 86_400 },
];

/** null: Gancho never heard of it, or it is in another process that has recorded nothing of it yet. */
async function whatIsKnown(
  connectionRef: ConnectionRef,
  operation: string,
  configuration: Configuration,
): Promise<SaveResult | WaitingResult | NoResult | null> {
  const press = { partner: connectionRef.partnerId, environment: connectionRef.environment };
  // Before its records, so that one that ends meanwhile is found there.
  const isHere = inThisProcess().has(nameOf({ ...press, operation }));
  const rest = { operation, configuration };
  const trace = await traceOf(connectionRef, operation);
  if (trace === null) return isHere ? { outcome: "in_progress", ...rest } : null;
  switch (trace.kind) {
    case "void":
      return { outcome: "none", ...rest };
    case "ended":
      return { outcome: trace.state, ...rest };
    case "in_progress":
      return { outcome: "in_progress", ...rest };
    default:
      return answerIn(trace, rest);
  }
}

/**
 * An unknown press may still arrive, or wait for the lock: it is refused then. Only the holder of the lock can know
 * that no save is about to begin.
 */
async function makeVoid<Answer>(
  { connection }: ConnectionRef,
  operation: string,
  person: string,
  known: () => Promise<Answer | null>,
): Promise<Answer | "none" | "not_known"> {
  // Not refused as too many: that would say that nothing was changed, which nobody knows.
  if ((await take(db(), voidLimits(person))) !== null) return "not_known";
  const lease = await lockConnection(connection.id, saveTimings.waitForOperationMs, "questions");
  if (!lease) return (await known()) ?? "not_known";
  try {
    const answered = await known();
    if (answered) return answered;
    const isVoid = await db()
      .transaction()
      .execute(async (trx) => {
        await holdLease(trx, lease);
        const now = Date.now();
        await trx
          .deleteFrom("void_operations")
          .where("created_at", "<", now - keptVoidMs)
          .execute();
        const { count } = await trx
          .selectFrom("void_operations")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("connection_id", "=", connection.id)
          .executeTakeFirstOrThrow();
        if (count >= maxVoid) return false;
        await trx
          .insertInto("void_operations")
          .values({ connection_id: connection.id, operation_id: operation, created_at: now })
          .onConflict((conflict) => conflict.doNothing())
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

/**
 * The answer to an operation that was received before; null where there is none yet. Throws `invalid_fields` where it
 * was for another change, `save_given_up` where an earlier answer said that it was not saved, and `proposal_over` where
 * it waited for a second person, and ended without being approved.
 */
export async function repeatedAnswer(
  connectionRef: ConnectionRef,
  operation: string,
  again: Pick<SaveRequest, "type" | "url">,
): Promise<SaveResult | WaitingResult | null> {
  const trace = await traceOf(connectionRef, operation);
  if (trace === null) return null;
  if (trace.kind === "void") throw new ProblemError("save_given_up", { applied: "no" });
  requireSame(again, trace.desired);
  if (trace.kind === "ended")
    throw new ProblemError("proposal_over", { applied: "no", extra: { state: trace.state } });
  if (trace.kind === "in_progress") return leftByCrash(operation, trace.requestId);
  const configuration = await present(connectionRef, await loadLastKnown(db(), connectionRef));
  return answerIn(trace, { configuration, operation });
}

function answerIn(
  trace: Extract<Trace, { kind: "waiting" | "save" }>,
  rest: { configuration: Configuration; operation: string },
): SaveResult | WaitingResult {
  if (trace.kind === "save") {
    const { requestId, operation } = trace;
    return resultOf(trace.status, { ...rest, requestId, operation });
  }
  return { outcome: "waiting", results: [], proposal: trace.proposal, requestId: "", ...rest };
}

type Desired = { type: string; state: { callbackUrl: string } | null }[];

/** All that is known of an operation. `operation` and `requestId`: of the save, which another person may have made. */
type Trace =
  | { kind: "void" }
  | ({ desired: Desired } & (
      | { kind: "in_progress"; requestId: string }
      | { kind: "save"; status: SaveStatus; requestId: string; operation: string }
      | { kind: "waiting"; proposal: string }
      | { kind: "ended"; state: Exclude<ProposalRow["state"], "pending" | "approved"> }
    ));

async function traceOf(connectionRef: ConnectionRef, operation: string): Promise<Trace | null> {
  const { save, proposal, isVoid } = await findTraces(connectionRef, operation);
  const { connection } = connectionRef;
  const own = save && (await findOperation(connection.id, operation));
  if (own) return traceIn(own);
  if (isVoid !== null) return { kind: "void" };
  const row = proposal === null ? null : await findRow(db(), connectionRef, proposal);
  if (!row) return null;
  const desired = typesOf(row.applies_to).map((type) => ({
    type,
    state: { callbackUrl: row.url },
  }));
  if (row.state === "pending")
    return row.overdue
      ? { kind: "ended", state: "expired", desired }
      : { kind: "waiting", proposal: row.id, desired };
  if (row.state !== "approved") return { kind: "ended", state: row.state, desired };
  const applied = await findOperationOf(connection.id, row.id);
  return applied ? traceIn(applied) : { ...clearedAway, operation, desired };
}

/** The row of a save may be gone before that of its proposal. */
const clearedAway: { kind: "save"; status: SaveStatus; requestId: string } = {
  kind: "save",
  status: { outcome: "unknown", results: [], reason: null },
  requestId: "",
};

function traceIn(save: NonNullable<Awaited<ReturnType<typeof findOperation>>>): Trace {
  const { status, requestId, operation, desired } = save;
  return status
    ? { kind: "save", status, requestId, operation, desired }
    : { kind: "in_progress", requestId, desired };
}

/** All rows of an operation, in one statement: of a new one, none. */
async function findTraces(connectionRef: ConnectionRef, operation: string) {
  return db()
    .selectNoFrom(({ selectFrom }) => [
      selectFrom("saves")
        .select("id")
        .where("connection_id", "=", connectionRef.connection.id)
        .where("operation_id", "=", operation)
        .limit(1)
        .as("save"),
      selectFrom("proposals")
        .select("id")
        .where("partner_id", "=", connectionRef.partnerId)
        .where("environment", "=", connectionRef.environment)
        .where("operation_id", "=", operation)
        .limit(1)
        .as("proposal"),
      selectFrom("void_operations")
        .select("operation_id")
        .where("connection_id", "=", connectionRef.connection.id)
        .where("operation_id", "=", operation)
        .as("isVoid"),
    ])
    .executeTakeFirstOrThrow();
}

/** Nobody holds the lock, and no outcome was recorded: a crash left it. */
function leftByCrash(operation: string, requestId: string): SaveResult {
  return { outcome: "unknown", results: [], configuration: null, requestId, operation, open: true };
}

function requireSame({ type, url }: Pick<SaveRequest, "type" | "url">, desired: Desired): void {
  const types: string[] = typesOf(type);
  const isSame =
    desired.length === types.length &&
    desired.every(
      (desired) =>
        types.includes(desired.type) &&
        canonicalUrl(desired.state?.callbackUrl ?? "") === canonicalUrl(url),
    );
  if (isSame) return;
  throw fieldRefused("operation", "operation_reused");
}

/** As the browser gets it, chosen field by field. */
export function resultOf(
  { outcome, results }: SaveStatus,
  rest: Pick<SaveResult, "configuration" | "requestId" | "operation">,
): SaveResult {
  return {
    outcome,
    results: results.map(({ type, outcome: ofType, authorization }) => ({
      type,
      outcome: ofType,
      ...(authorization && { authorization }),
    })),
    ...rest,
    ...(isOpen(results) && { open: true }),
  };
}
