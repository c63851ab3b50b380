import "server-only";
import { db } from "@/lib/platform/database/open";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { isOfService } from "@/lib/watch/model/service";
import { maxAheadMs, alertAfterMs } from "@/lib/watch/model/turn";
import { sql, type Transaction } from "kysely";
import { hourOf, shownHours } from "./reading-log";
import { readService, type WatchClock, type Watched } from "./turns";
import type { Alert } from "@/lib/alerts/model/alert";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import type { Database } from "@/lib/platform/database/tables";

/** Rows of one statement, so that nobody waits for it long. */
const batchSize = 500;

/** Periodic work. Returns how many connections of the environment are watched. */
export async function doChores(
  watched: Watched,
  clock: WatchClock,
  random: () => number = Math.random,
): Promise<number> {
  await enrol(watched, clock, random);
  await spreadAgain(watched, await clock.steady());
  await alertFailing(watched, clock);
  await prune(clock.wall());
  const { size } = await db()
    .selectFrom("watch_turns")
    .select(({ fn }) => fn.countAll<number>().as("size"))
    .where("environment", "=", watched.environment)
    .executeTakeFirstOrThrow();
  return size;
}

/** First turns are drawn within so much of a period that the last of them are read within it as well. */
const firstTurns = 0.95;

/** Connections without a turn get one, anywhere within the period: so they are spread from the start. */
async function enrol(
  { environment, plan }: Watched,
  clock: WatchClock,
  random: () => number,
): Promise<void> {
  for (;;) {
    const missing = await db()
      .selectFrom("connections")
      .leftJoin("watch_turns", "watch_turns.connection_id", "connections.id")
      .select("connections.id")
      .where("connections.environment", "=", environment)
      .where("watch_turns.connection_id", "is", null)
      .limit(batchSize)
      .execute();
    if (missing.length === 0) return;
    const now = await clock.steady();
    await db()
      .insertInto("watch_turns")
      .values(
        missing.map(({ id }) => ({
          connection_id: id,
          environment,
          failures: 0,
          due_at: Math.round(now + random() * firstTurns * plan.everyMs),
        })),
      )
      .onConflict((conflict) => conflict.column("connection_id").doNothing())
      .execute();
  }
}

/**
 * Turns further ahead than possible: the period was shortened, or the steady clock restarted. The remainder of dividing
 * by the period is as good as a random draw.
 */
async function spreadAgain({ environment, plan }: Watched, now: number): Promise<void> {
  const { everyMs } = plan;
  await db()
    .updateTable("watch_turns")
    .set({ due_at: sql<number>`cast(${now} as bigint) + due_at % cast(${everyMs} as bigint)` })
    .where("environment", "=", environment)
    .where("due_at", ">", Math.round(now + 1.2 * everyMs))
    .where(({ or, eb }) =>
      or([eb("failures", "=", 0), eb("due_at", ">", Math.round(now + maxAheadMs(everyMs)))]),
    )
    .execute();
}

/** A failing connection is read at once after its credentials change. */
export async function scheduleChanged({ environment }: Watched, clock: WatchClock): Promise<void> {
  const now = await clock.steady();
  await db()
    .updateTable("watch_turns")
    .set({ due_at: now, failures: 0 })
    .where("connection_id", "in", (eb) =>
      eb
        .selectFrom("watch_turns as turn")
        .innerJoin("connections", "connections.id", "turn.connection_id")
        .select("turn.connection_id")
        .where("turn.environment", "=", environment)
        .where("turn.failing_since", "is not", null)
        .where("turn.failures", ">", 0)
        .whereRef("turn.version", "!=", "connections.version"),
    )
    .execute();
}

/**
 * Sends the alert that a connection fails, once for each. Not where the service does, and so all of them: that alert is
 * sent once, when it begins.
 */
async function alertFailing({ environment, baseUrl }: Watched, clock: WatchClock): Promise<void> {
  const wall = clock.wall();
  const isDown = (await readService({ environment, baseUrl })).downSince !== null;
  for (;;) {
    const failing = await db()
      .selectFrom("watch_turns")
      .innerJoin("connections", "connections.id", "connection_id")
      .select(["connection_id", "partner_id", "failing_since", "fault_code"])
      .where("watch_turns.environment", "=", environment)
      .where("watch_turns.base_url", "=", baseUrl)
      .where("failing_since", "<=", wall - alertAfterMs)
      .where("told_failing_at", "is", null)
      // One that waits because of the service has none, and is read again when the service answers.
      .where("failures", ">", 0)
      .orderBy("failing_since")
      .limit(batchSize)
      .execute();
    const theirOwn = failing.filter(
      ({ fault_code }) => !(isDown && isOfService((fault_code ?? "") as FaultCode)),
    );
    for (const row of theirOwn) await alertOne(environment, row, wall);
    if (theirOwn.length === 0 || failing.length < batchSize) return;
  }
}

type Failing = {
  connection_id: string;
  partner_id: string;
  failing_since: number | null;
  fault_code: string | null;
};

async function alertOne(environment: string, row: Failing, wall: number): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("watch_turns")
        .set({ told_failing_at: wall })
        .where("connection_id", "=", row.connection_id)
        .where("told_failing_at", "is", null)
        .where("failing_since", "=", row.failing_since)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return;
      await raise(trx, {
        kind: "connection_failing",
        partnerId: row.partner_id,
        environment,
        since: row.failing_since ?? wall,
        problem: row.fault_code ?? "",
      });
    });
}

/** Hours that the Overview no longer shows. */
async function prune(wall: number): Promise<void> {
  await db()
    .deleteFrom("watch_hours")
    .where("hour", "<=", hourOf(wall) - shownHours)
    .execute();
}

/** Findings of the watch that raise an alert; one for all partners where a service fails as a whole. */
export type Finding = Extract<
  Alert,
  {
    kind: "connection_failing" | "connection_recovered" | "service_failing" | "service_recovered";
  }
>;

/**
 * In the transaction that records it. Each occurrence raises one alert, whichever process finds it, and however often.
 */
export async function raise(trx: Transaction<Database>, finding: Finding): Promise<void> {
  const partnerId = "partnerId" in finding ? finding.partnerId : "";
  const once = [finding.kind, finding.environment, partnerId, finding.since].join(":");
  await enqueueAlert(trx, finding, { once });
}
