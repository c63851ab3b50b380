import "server-only";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import {
  confirmMs,
  newsOf,
  nextDaily,
  type DailyCheck,
  type Alerted,
} from "@/lib/endpoint-check/model/daily";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { egressRules } from "@/lib/platform/egress/rules";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import { newRequestId } from "@/lib/platform/log/request-note";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { connectionRefOnTrust, requireConnectionRef } from "@/lib/webhooks/server/observe/reading";
import type { ConnectionRef } from "@/lib/webhooks/server/observe/remote-state";
import type { Transaction } from "kysely";
import { createHash } from "node:crypto";
import { limitHost, registeredSubject } from "./check";
import { runCheck } from "./run";
import { storeCheck } from "./stored";

/** Until the next try where the address was not called, milliseconds. */
const retryMs = 60 * 60_000;
/** No check is due later than this from now (`nextDaily`): a later time was written by a clock that was wrong. */
const latestMs = 37 * 60 * 60_000;
/** Checks in one round, and at once. */
const maxInRound = 100;
const concurrency = 4;

/**
 * Switches the daily check of an address on or off. On takes a step-up: from then on the registered value is sent with
 * nobody there. Throws the problems of `requireStepUp`, `endpoint_checks_off`, `not_found` or `not_connected`.
 */
export async function switchDaily(
  access: PartnerAccess<"endpoints.watch">,
  environment: string,
  request: DailyCheck,
  context: RequestContext,
): Promise<void> {
  if (request.on) await requireStepUp(access);
  await switchDailyOnTrust(access, environment, request, context);
}

/** The same in the name of a person who cannot be asked for a step-up. */
export async function switchDailyOnTrust(
  access: PartnerAccess<"endpoints.watch">,
  environment: string,
  { type, on }: DailyCheck,
  context: RequestContext,
): Promise<void> {
  if (on && env().endpointChecks !== "daily") throw new ProblemError("endpoint_checks_off");
  const connectionRef = await requireConnectionRef(access, environment);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      if (!(await setDaily(trx, connectionRef, { type, on }))) return;
      await recordHistory(trx, {
        ...entryBase(access, context),
        environment: connectionRef.environment,
        kind: "daily_check_switched",
        types: [type],
        outcome: on ? "on" : "off",
        detail: {},
      });
    });
}

/**
 * Returns whether that changed something. Switching it on clears what was mailed, so that the first result is mailed
 * again.
 */
async function setDaily(
  trx: Transaction<Database>,
  { connection }: ConnectionRef,
  { type, on }: DailyCheck,
): Promise<boolean> {
  const values = {
    daily_due_at: on ? databaseTime() : null,
    alerted_condition: null,
    alerted_days: null,
  };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("endpoint_checks")
    .values({
      connection_id: connection.id,
      type,
      typed: 0,
      base_url: connection.baseUrl,
      client_id: connection.clientId,
      checked_at: 0,
      same_since: 0,
      ...values,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["connection_id", "type", "typed"])
        .doUpdateSet(values)
        .where("endpoint_checks.daily_due_at", on ? "is" : "is not", null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

type Round = {
  /** Asked before each check. */
  isElected: () => Promise<boolean>;
  /** Whose payment service may be called. */
  environments: readonly string[];
  rulesOf?: typeof egressRules;
};

/** Checks all that are due, some at once. Returns how many. */
export async function checkDue({
  isElected,
  environments,
  rulesOf = egressRules,
}: Round): Promise<number> {
  if (environments.length === 0) return 0;
  const due = await dueNow(environments);
  const count = due.length;
  const lane = async () => {
    while (!isStopping() && (await isElected())) {
      const next = due.shift();
      if (!next) return;
      await check(next, rulesOf);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return count;
}

type Due = Awaited<ReturnType<typeof dueNow>>[number];

/** The longest due first. */
async function dueNow(environments: readonly string[]) {
  const now = databaseTime();
  return db()
    .selectFrom("endpoint_checks")
    .innerJoin("connections", "connections.id", "connection_id")
    .innerJoin("partners", "partners.id", "partner_id")
    .where("partners.suspended_at", "is", null)
    .select(["connection_id", "partner_id", "environment", "type"])
    .select(["alerted_condition", "alerted_days", "daily_due_at"])
    .where(({ eb, or }) =>
      or([eb("daily_due_at", "<=", now), eb("daily_due_at", ">", now + latestMs)]),
    )
    .where("environment", "in", environments)
    .orderBy("daily_due_at")
    .limit(maxInRound)
    .execute();
}

type Next = {
  daily_due_at: number;
  alerted_condition?: Alerted["condition"];
  alerted_days?: number | null;
};

/** False where it was switched off meanwhile, or another process has done it. */
async function setNext(executor: Executor, due: Due, next: Next): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable("endpoint_checks")
    .set(next)
    .where("connection_id", "=", due.connection_id)
    .where("type", "=", due.type)
    .where("daily_due_at", "=", due.daily_due_at)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Does not throw. */
async function check(due: Due, rulesOf: typeof egressRules): Promise<void> {
  const { partner_id, environment, type } = due;
  try {
    const connectionRef = await connectionRefOnTrust(partner_id, environment);
    const requestId = newRequestId();
    const of = { requestId, isSupport: false, background: true } as const;
    const subject = await registeredSubject(connectionRef, type, of);
    // Otherwise the address may be an attacker's.
    if (!subject.isSettled) throw new NotNow();
    await limitHost(subject.url);
    const rules = await rulesOf();
    // The round may have begun minutes ago.
    if (await isSuspended(partner_id)) throw new NotNow();
    const at = databaseTime();
    const about = { partner: partner_id, environment, type };
    const findings = await runCheck(about, subject, rules);
    const result = {
      type,
      url: subject.url,
      typed: false,
      ...findings,
      by: null,
      at: new Date(at).toISOString(),
      requestId,
    };
    await db()
      .transaction()
      .execute((trx) =>
        conclude(trx, connectionRef, due, {
          checkedAt: at,
          fingerprint: subject.fingerprint,
          result,
        }),
      );
  } catch (err) {
    if (!(err instanceof NotNow || err instanceof ProblemError))
      log.error({ err, connectionId: due.connection_id }, "an endpoint could not be checked");
    await setNext(db(), due, { daily_due_at: databaseTime() + retryMs }).catch(() => undefined);
  }
}

class NotNow extends Error {
  override readonly name: string = "NotNow";
}

async function isSuspended(partnerId: string): Promise<boolean> {
  const { suspended_at } = await db()
    .selectFrom("partners")
    .select("suspended_at")
    .where("id", "=", partnerId)
    .executeTakeFirstOrThrow();
  return suspended_at !== null;
}

type Conclusion = Parameters<typeof storeCheck>[2] & {
  result: Omit<EndpointCheck, "fingerprint" | "since">;
};

/**
 * Stores the result; mails and records what is new. Throws `NotNow`, storing nothing, where the check is not due any
 * more.
 */
async function conclude(
  trx: Transaction<Database>,
  connectionRef: ConnectionRef,
  due: Due,
  check: Conclusion,
): Promise<void> {
  const { result, checkedAt } = check;
  const { type, verdict } = result;
  const { previous, since, isSameAddress } = await storeCheck(trx, connectionRef, check);
  const { daysLeft, validTo } = result.tls?.certificate ?? { daysLeft: null, validTo: "" };
  const news = newsOf(
    { condition: due.alerted_condition, days: isSameAddress ? due.alerted_days : null },
    {
      verdict,
      daysLeft,
      previous: previous && { verdict: previous.verdict, agoMs: checkedAt - previous.at },
    },
  );
  const now = databaseTime();
  const wasDue = await setNext(trx, due, {
    daily_due_at: news.isUnconfirmed ? now + confirmMs : nextDaily(now, shareOf(due)),
    alerted_condition: news.alerted.condition,
    alerted_days: news.alerted.days,
  });
  if (!wasDue) throw new NotNow();
  const { partnerId, environment } = connectionRef;
  // The service may hold something that is no URL.
  const host = URL.canParse(result.url) ? new URL(result.url).host : "?";
  const about = { partnerId, environment, type, host };
  if (news.verdict)
    await enqueueAlert(trx, {
      kind: "endpoint_result",
      ...about,
      news: news.verdict,
      verdict,
      since,
    });
  if (news.days !== null)
    await enqueueAlert(trx, {
      kind: "certificate_ends",
      ...about,
      days: daysLeft ?? 0,
      until: Date.parse(validTo),
    });
  if (!news.verdict) return;
  await recordHistory(trx, {
    partnerId,
    environment,
    kind: "endpoint_checked",
    types: [type],
    actor: null,
    requestId: result.requestId,
    outcome: verdict,
    detail: { url: result.url, typed: false, sent: result.with === null ? null : "registered" },
  });
}

/** Its part of the day, so that all of them are spread over it. */
function shareOf({ connection_id, type }: Due): number {
  const hash = createHash("sha256").update(`${connection_id} ${type}`).digest();
  return hash.readUInt32BE() / 2 ** 32;
}
