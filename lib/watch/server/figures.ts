import "server-only";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { saveOutcomes } from "@/lib/history/model/outcomes";
import { expectSaves, figuresFrom, type Figure } from "@/lib/platform/metrics/metrics";
import { countTurns, dayMs, readService } from "./overview";
import { watchedEnvironment } from "./turns";

/** Lets the metrics report the state of connections, and the lag of the background readings. */
export function registerWatchFigures(): void {
  expectSaves(env().environments.keys(), saveOutcomes);
  figuresFrom("watch", async () => {
    const each = [...env().environments].map(([environment, baseUrl]) =>
      figuresOf({ environment, baseUrl }),
    );
    return (await Promise.all(each)).flat();
  });
}

type Service = { environment: string; baseUrl: string };

async function figuresOf(service: Service): Promise<Figure[]> {
  const { environment } = service;
  const labels = { environment };
  const plan = watchedEnvironment(environment)?.plan;
  const { connections, confirmed, failing, unanswered } = await countTurns(service, {
    wall: Date.now(),
    everyMs: plan?.everyMs ?? dayMs,
  });
  const { serviceDownSince, isPaused, workers } = await readService(service);
  const states = { all: connections, confirmed, failing, changed_outside: unanswered };
  return [
    ...Object.entries(states).map(([state, value]): Figure => ({
      name: "connections",
      labels: { environment, state },
      value,
    })),
    { name: "serviceDown", labels, value: serviceDownSince === null ? 0 : 1 },
    { name: "servicePaused", labels, value: isPaused ? 1 : 0 },
    { name: "watchWorkers", value: workers },
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
    .selectFrom("watch_turns")
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
