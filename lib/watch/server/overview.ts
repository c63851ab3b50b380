import "server-only";
import type { StaffAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { listWithAttention } from "@/lib/attention/server/partners";
import { countWithStatus, listedEnvironment } from "@/lib/partners/server/list/list";
import { hourOf, shownHours, type Hour, type Overview } from "@/lib/watch/model/overview";
import { paceOf } from "@/lib/watch/model/service";
import { countConnections, dayMs, serviceFigures } from "./figures";
import { watchedEnvironment } from "./schedules";

const maxLines = 12;
const hourMs = 3_600_000;

/** The state of an environment, for people who run or support the installation. Only reads the database. */
export async function readOverview(
  { viewer }: StaffAccess<"overview.read">,
  wanted: string | undefined,
): Promise<Overview> {
  const service = listedEnvironment(wanted);
  const { environment } = service;
  const plan = watchedEnvironment(environment)?.plan ?? null;
  const everyMs = plan?.everyMs ?? null;
  const counts = await countConnections(service, {
    wall: databaseTime(),
    everyMs: everyMs ?? dayMs,
  });
  const minMs = plan && (counts.connections * 1_000) / paceOf(plan, Infinity).rate;
  const { partners } = await listWithAttention(
    { viewer },
    { search: "", sort: "status", environment },
  );
  return {
    environment,
    environments: [...env().environments.keys()],
    everyMinutes: everyMs === null ? null : everyMs / 60_000,
    takesMinutes:
      everyMs !== null && minMs !== null && minMs > everyMs ? Math.ceil(minMs / 60_000) : null,
    ...counts,
    counts: {
      failing: await countWithStatus(db(), "failing", service),
      changed_outside: counts.changedOutside,
      type_missing: await countWithStatus(db(), "type_missing", service),
      no_authorization: await countWithStatus(db(), "no_authorization", service),
    },
    ...(await serviceFigures(service)),
    hours: await readHours(environment),
    attention: partners
      .filter((partner) => !partner.suspended && partner.attention.length > 0)
      .slice(0, maxLines),
  };
}

async function readHours(environment: string): Promise<Hour[]> {
  const last = hourOf(databaseTime());
  const rows = await db()
    .selectFrom("watch_hours")
    .selectAll()
    .where("environment", "=", environment)
    .where("hour", ">", last - shownHours)
    .where("hour", "<=", last)
    .execute();
  const by = new Map(rows.map((row) => [row.hour, row]));
  return Array.from({ length: shownHours }, (_, at) => {
    const hour = last - shownHours + 1 + at;
    const { readings = 0, failed = 0, answered = 0, answer_ms = 0 } = by.get(hour) ?? {};
    return {
      at: new Date(hour * hourMs).toISOString(),
      readings,
      failed,
      answerMs: answered === 0 ? null : Math.round(answer_ms / answered),
    };
  });
}
