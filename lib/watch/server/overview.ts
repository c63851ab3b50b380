import "server-only";
import type { AttentionLine } from "@/lib/attention/model/partners";
import type { StaffAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { withAttention } from "@/lib/attention/server/partners";
import {
  countWithStatus,
  findConspicuous,
  type ReachedService,
} from "@/lib/partners/server/list/having-status";
import { listedEnvironment, readLines } from "@/lib/partners/server/list/list";
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
  return {
    environment,
    environments: [...env().environments.keys()],
    everyMinutes: everyMs === null ? null : everyMs / 60_000,
    takesMinutes:
      everyMs !== null && minMs !== null && minMs > everyMs ? Math.ceil(minMs / 60_000) : null,
    ...counts,
    counts: {
      failing: await countWithStatus(db(), "failing", service),
      changed_outside: await countWithStatus(db(), "changed_outside", service),
      type_missing: await countWithStatus(db(), "type_missing", service),
      no_authorization: await countWithStatus(db(), "no_authorization", service),
    },
    ...(await serviceFigures(service)),
    hours: await readHours(environment),
    ...(await needingAttention({ viewer }, service)),
  };
}

/** How many partners of each kind may stand out. */
const ofEachKind = 50;
/** How many partners are looked at together. */
const atOnce = 25;

/**
 * The first partners that need attention, the worst first, and how many were not looked at: which of them do is no
 * question to the database, and it says only who stands out.
 */
async function needingAttention(
  person: Pick<StaffAccess<"overview.read">, "viewer">,
  service: ReachedService,
): Promise<Pick<Overview, "attention" | "lookedAt" | "notLookedAt">> {
  const conspicuous = await findConspicuous(db(), service, ofEachKind);
  const lines = await readLines(db(), service, conspicuous);
  const attention: AttentionLine[] = [];
  let lookedAt = 0;
  while (lookedAt < lines.length && attention.length < maxLines) {
    const some = lines.slice(lookedAt, lookedAt + atOnce);
    const looked = await withAttention(person, service.environment, some);
    attention.push(...looked.filter((line) => !line.suspended && line.attention.length > 0));
    lookedAt += some.length;
  }
  const { all } = await db()
    .selectFrom("partners")
    .select(({ fn }) => fn.countAll<number>().as("all"))
    .executeTakeFirstOrThrow();
  return {
    attention: attention.slice(0, maxLines),
    lookedAt,
    notLookedAt: Math.max(0, all - lookedAt),
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
