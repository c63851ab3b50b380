import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { sessionLife } from "@/lib/platform/auth/sessions/sessions";
import { holdLease, isLeaseLost } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { take, type Limit } from "@/lib/platform/limits/limits";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { processWide } from "@/lib/platform/runtime/process-wide";
import type {
  NoResult,
  SaveResult,
  SaveStep,
  WaitingResult,
} from "@/lib/webhooks/model/configuration";
import { loadLastKnown } from "@/lib/webhooks/server/read/last-known";
import { lockConnection } from "./connection-lock";
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import { present } from "@/lib/webhooks/server/read/present";
import { requireConnectionRef, readAt } from "@/lib/webhooks/server/read/read";
import { operationPattern, type SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { isOpen } from "@/lib/webhooks/server/read/reconcile";
import type { SaveProgress } from "./run";
import { findOperation, type SaveStatus } from "./save-record";
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
  const answered =
    (await whatIsKnown(connectionRef, operation)) ??
    (may(access.role, "webhooks.write")
      ? await makeVoid(connectionRef, operation, access.viewer.id)
      : "not_known");
  return typeof answered === "string"
    ? { outcome: answered, operation, configuration }
    : { ...answered, configuration };
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

/** For a save that holds the lock, or waits for it. */
const waitForSaveMs = 2_000;
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
async function whatIsKnown(connectionRef: ConnectionRef, operation: string) {
  const press = { partner: connectionRef.partnerId, environment: connectionRef.environment };
  // Before its records, so that one that ends meanwhile is found there.
  const isHere = inThisProcess().has(nameOf({ ...press, operation }));
  const answered = await answerOf(connectionRef, operation);
  if (answered) return answered;
  const { save, isVoid } = await findTraces(connectionRef, operation);
  if (isVoid !== null) return "none";
  return save !== null || isHere ? "in_progress" : null;
}

/**
 * An unknown press may still arrive, or wait for the lock: it is refused then. Only the holder of the lock can know
 * that no save is about to begin.
 */
async function makeVoid(connectionRef: ConnectionRef, operation: string, person: string) {
  const { connection } = connectionRef;
  // Not refused as too many: that would say that nothing was changed, which nobody knows.
  if ((await take(db(), voidLimits(person))) !== null) return "not_known";
  const lease = await lockConnection(connection.id, waitForSaveMs, "questions");
  if (!lease) return (await whatIsKnown(connectionRef, operation)) ?? "not_known";
  try {
    const known = await whatIsKnown(connectionRef, operation);
    if (known) return known;
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
 * The answer to an operation that was received before; null where there is none yet. `again`: the request that came
 * with the same id, which must be for the same thing. Throws `invalid_fields` where it is not, and `save_given_up`
 * where an earlier answer said that it was not saved.
 */
export async function answerOf(
  connectionRef: ConnectionRef,
  operation: string,
  again?: Pick<SaveRequest, "type" | "url">,
): Promise<SaveResult | WaitingResult | null> {
  const { save, proposal, isVoid } = await findTraces(connectionRef, operation);
  const saved = save && (await findOperation(connectionRef.connection.id, operation));
  if (saved) {
    if (again) requireSame(again, saved.desired);
    if (!saved.status) return again ? leftByCrash(operation, saved.requestId) : null;
    const configuration = again
      ? await present(connectionRef, await loadLastKnown(db(), connectionRef))
      : null;
    return resultOf(saved.status, { configuration, requestId: saved.requestId, operation });
  }
  if (isVoid !== null && again) throw new ProblemError("save_given_up", { applied: "no" });
  if (proposal === null) return null;
  const configuration = await present(connectionRef, await loadLastKnown(db(), connectionRef));
  return { outcome: "waiting", results: [], proposal, configuration, requestId: "", operation };
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

function requireSame(
  { type, url }: Pick<SaveRequest, "type" | "url">,
  desired: { type: string; state: { callbackUrl: string } | null }[],
): void {
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
