import "server-only";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { saveStates } from "@/lib/history/model/kind";
import { expectSaves, figuresFrom, type Figure } from "@/lib/platform/metrics/metrics";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { isAnyoneReading, readService, watchedEnvironment } from "./schedules";

/** Lets the metrics report the state of connections, and the lag of the background readings. */
export function registerWatchFigures(): void {
  expectSaves(env().environments.keys(), saveStates);
  figuresFrom("watch", async () => {
    const each = [...env().environments].map(([environment, baseUrl]) =>
      figuresOf({ environment, baseUrl }),
    );
    return (await Promise.all(each)).flat();
  });
}

async function figuresOf(service: Service): Promise<Figure[]> {
  const { environment } = service;
  const labels = { environment };
  const plan = watchedEnvironment(environment)?.plan;
  const { connections, confirmed, failing, changedOutside } = await countConnections(service, {
    wall: databaseTime(),
    everyMs: plan?.everyMs ?? dayMs,
  });
  const { serviceDownSince, isPaused, isRead } = await serviceFigures(service);
  const states = { all: connections, confirmed, failing, changed_outside: changedOutside };
  return [
    ...Object.entries(states).map(([state, value]): Figure => ({
      name: "connections",
      labels: { environment, state },
      value,
    })),
    { name: "serviceDown", labels, value: serviceDownSince === null ? 0 : 1 },
    { name: "servicePaused", labels, value: isPaused ? 1 : 0 },
    { name: "watchWorkers", value: isRead ? 1 : 0 },
    ...(plan
      ? [
          ...(await lagOf(environment)),
          { name: "watchPeriod" as const, labels, value: plan.everyMs / 1_000 },
          { name: "watchBudget" as const, labels, value: plan.requestsPerSecond },
        ]
      : []),
  ];
}

async function lagOf(environment: string): Promise<Figure[]> {
  const now = await readSteadyClock();
  const { due, oldest } = await db()
    .selectFrom("reading_schedule")
    .select(({ fn }) => [fn.countAll<number>().as("due"), fn.min("due_at").as("oldest")])
    .where("environment", "=", environment)
    .where("due_at", "<=", now)
    .executeTakeFirstOrThrow();
  const labels = { environment };
  return [
    { name: "watchDue", labels, value: due },
    { name: "watchLag", labels, value: oldest === null ? 0 : (now - oldest) / 1_000 },
  ];
}

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

type Service = { environment: string; baseUrl: string };

/** From indexes alone. Readings from another address count as none. */
export async function countConnections(
  { environment, baseUrl }: Service,
  { wall, everyMs }: { wall: number; everyMs: number },
) {
  // Allows for a tenth of a period and the duration of a reading: a slight delay counts as on time.
  const from = Math.round(wall - 1.1 * everyMs - 30_000);
  const scheduled = db()
    .selectFrom("reading_schedule")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("environment", "=", environment)
    .where("base_url", "=", baseUrl);
  const counts = await db()
    .selectNoFrom(({ selectFrom }) => [
      selectFrom("connections")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("environment", "=", environment)
        .$asScalar()
        .as("connections"),
      scheduled
        .where("confirmed_at", ">=", from)
        .where("failing_since", "is", null)
        .$asScalar()
        .as("confirmed"),
      scheduled.where("failing_since", "is not", null).$asScalar().as("failing"),
      scheduled.where("outside_at", "is not", null).$asScalar().as("changedOutside"),
    ])
    .executeTakeFirstOrThrow();
  const { connections, confirmed, failing } = counts;
  return { ...counts, notRead: Math.max(0, connections - confirmed - failing) };
}

/** What the Overview and the metrics say about an environment's service and reader. */
export async function serviceFigures(service: Service) {
  const { downSince, pausedUntil } = await readService(service);
  const pausedFor = pausedUntil - (await readSteadyClock());
  // Without background readings nothing tries whether it answers again.
  const isDown = downSince !== null && watchedEnvironment(service.environment) !== null;
  return {
    isRead: await isAnyoneReading(),
    serviceDownSince: isDown ? new Date(downSince).toISOString() : null,
    isPaused: pausedFor > 0 && pausedFor <= hourMs,
  };
}
