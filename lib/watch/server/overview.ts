import "server-only";
import type { StaffAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { countFlagged } from "@/lib/partners/server/list/flags";
import { noAnswers, percentile } from "@/lib/watch/model/answer-times";
import type { AttentionReason, Overview, OverviewQuery } from "@/lib/watch/model/overview";
import { paceOf } from "@/lib/watch/model/service";
import { outsideMs } from "@/lib/watch/model/turn";
import { webhookTypes } from "@/lib/webhooks/model/types";
import { sql } from "kysely";
import { answersIn, dayOf, hourOf } from "./reading-log";
import { aliveMs } from "./chores";
import { madeUpUntil } from "./made-up-past";
import { watchedEnvironment } from "./turns";

const shownHours = 48;
const pageSize = 25;
export const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** The state of an environment, for people who run or support the installation. Only reads the database. */
export async function readOverview(
  _access: StaffAccess<"overview.read">,
  query: OverviewQuery,
): Promise<Overview> {
  const service = serviceOf(query.environment);
  const wall = Date.now();
  const plan = watchedEnvironment(service.environment)?.plan ?? null;
  const everyMs = plan?.everyMs ?? null;
  const counts = await countTurns(service, { wall, everyMs: everyMs ?? dayMs });
  const minMs = plan && (counts.connections * 1_000) / paceOf(plan, Infinity).rate;
  return {
    environment: service.environment,
    environments: [...env().environments.keys()],
    at: iso(wall),
    everyMinutes: everyMs === null ? null : everyMs / 60_000,
    takesMinutes:
      everyMs !== null && minMs !== null && minMs > everyMs ? Math.ceil(minMs / 60_000) : null,
    ...counts,
    changedOutside: await countOutside(service.environment, wall),
    withoutAuthorization: await countFlagged(db(), "no_authorization", service.environment),
    ...(await readService(service)),
    hours: await readHours(service.environment, wall),
    madeUpUntil: await madeUpUntil(wall - shownHours * hourMs),
    ...(await readAttention(service, query.cursor)),
  };
}

type Service = { environment: string; baseUrl: string };

function serviceOf(requested: string | undefined): Service {
  const environment = requested ?? mainEnvironment();
  const baseUrl = env().environments.get(environment);
  if (baseUrl === undefined)
    throw new ProblemError("invalid_fields", {
      errors: [{ path: "environment", code: "not_offered", message: fieldErrorTitles.not_offered }],
    });
  return { environment, baseUrl };
}

/** One pass over the environment's turns. Readings from another address count as none. */
export async function countTurns(
  { environment, baseUrl }: Service,
  { wall, everyMs }: { wall: number; everyMs: number },
) {
  // A tenth of a period more, and the duration of a reading: a slight delay counts as on time.
  const from = Math.round(wall - 1.1 * everyMs - 30_000);
  const midnight = dayOf(wall) * dayMs;
  const all = await db()
    .selectFrom("connections")
    .select(({ fn }) => fn.countAll<number>().as("connections"))
    .where("environment", "=", environment)
    .executeTakeFirstOrThrow();
  const counted = await db()
    .selectFrom("watch_turns")
    .select([
      sql<number>`coalesce(sum(case when confirmed_at >= ${from} and failing_since is null then 1 else 0 end), 0)`.as(
        "confirmed",
      ),
      sql<number>`coalesce(sum(case when failing_since is not null then 1 else 0 end), 0)`.as(
        "failing",
      ),
      sql<number>`coalesce(sum(case when failing_since >= ${midnight} then 1 else 0 end), 0)`.as(
        "failingSinceToday",
      ),
      sql<number>`coalesce(sum(case when outside_at is not null then 1 else 0 end), 0)`.as(
        "unanswered",
      ),
    ])
    .where("environment", "=", environment)
    .where("base_url", "=", baseUrl)
    .executeTakeFirstOrThrow();
  const [confirmed, failing] = [Number(counted.confirmed), Number(counted.failing)];
  return {
    connections: all.connections,
    confirmed,
    failing,
    notRead: Math.max(0, all.connections - confirmed - failing),
    failingSinceToday: Number(counted.failingSinceToday),
    unanswered: Number(counted.unanswered),
  };
}

async function countOutside(environment: string, wall: number): Promise<number> {
  const { count } = await db()
    .selectFrom("watch_days")
    .innerJoin("connections", "connections.id", "watch_days.connection_id")
    .select(sql<number>`count(distinct watch_days.connection_id)`.as("count"))
    .where("watch_days.outside", ">", sql.lit(0))
    .where("watch_days.day", ">", dayOf(wall - outsideMs))
    .where("connections.environment", "=", environment)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function readService({ environment, baseUrl }: Service) {
  const now = await readSteadyClock();
  const service = await db()
    .selectFrom("watch_services")
    .select(["down_since", "paused_until"])
    .where("environment", "=", environment)
    .where("base_url", "=", baseUrl)
    .executeTakeFirst();
  const { workers } = await db()
    .selectFrom("watch_workers")
    .select(({ fn }) => fn.countAll<number>().as("workers"))
    .where("seen_at", ">", now - aliveMs)
    .where("seen_at", "<=", now + aliveMs)
    .executeTakeFirstOrThrow();
  const pausedFor = (service?.paused_until ?? 0) - now;
  return {
    workers,
    serviceDownSince: isoOrNull(service?.down_since ?? null),
    isPaused: pausedFor > 0 && pausedFor <= hourMs,
  };
}

async function readHours(environment: string, wall: number): Promise<Overview["hours"]> {
  const last = hourOf(wall);
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
    const row = by.get(hour);
    const answers = row ? answersIn(row.answers_json) : noAnswers;
    return {
      at: iso(hour * hourMs),
      readings: row?.readings ?? 0,
      failed: row?.failed ?? 0,
      changedOutside: row?.outside ?? 0,
      medianMs: percentile(answers, 0.5),
      p95Ms: percentile(answers, 0.95),
    };
  });
}

async function readAttention(
  { environment, baseUrl }: Service,
  cursor: string | undefined,
): Promise<Pick<Overview, "attention" | "nextCursor">> {
  const [since, after = ""] = cursor?.split("~") ?? [];
  const rows = await db()
    .selectFrom("watch_turns as turn")
    .innerJoin("connections", "connections.id", "turn.connection_id")
    .innerJoin("partners", "partners.id", "connections.partner_id")
    .leftJoin("partner_overviews as seen", (join) =>
      join.onRef("seen.partner_id", "=", "partners.id").on("seen.environment", "=", environment),
    )
    .select([
      ...(["turn.connection_id", "turn.attention_since", "turn.failing_since"] as const),
      ...(["turn.fault_code", "turn.missing_since", "turn.unprotected_since"] as const),
      ...(["turn.outside_types", "turn.outside_at", "turn.outside_only_value"] as const),
      ...(["partners.id", "partners.name"] as const),
      ...(["seen.pix_in_host", "seen.pix_out_host", "seen.without_authorization"] as const),
    ])
    .where("turn.environment", "=", environment)
    .where("turn.attention_since", "is not", null)
    .where("turn.base_url", "=", baseUrl)
    .whereRef("turn.client_id", "=", "connections.client_id")
    // Its people cannot sign in: nobody there could do anything.
    .where("partners.suspended_at", "is", null)
    .$if(since !== undefined, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb("turn.attention_since", ">", Number(since)),
          and([
            eb("turn.attention_since", "=", Number(since)),
            eb("turn.connection_id", ">", after),
          ]),
        ]),
      ),
    )
    .orderBy("turn.attention_since")
    .orderBy("turn.connection_id")
    .limit(pageSize + 1)
    .execute();
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  return {
    attention: shown.map((row) => ({
      partner: { id: row.id, name: row.name },
      since: iso(row.attention_since ?? 0),
      reasons: reasonsOf(row),
    })),
    nextCursor:
      rows.length > pageSize && last ? `${last.attention_since}~${last.connection_id}` : null,
  };
}

type AttentionRow = {
  failing_since: number | null;
  fault_code: string | null;
  outside_types: string;
  outside_at: number | null;
  outside_only_value: number;
  missing_since: number | null;
  unprotected_since: number | null;
  pix_in_host: string | null;
  pix_out_host: string | null;
  without_authorization: string | null;
};

function reasonsOf(row: AttentionRow): AttentionReason[] {
  const typesIn = (list: string | null) =>
    webhookTypes.filter((type) => (list ?? "").split(",").includes(type));
  const hosts = { pix_in: row.pix_in_host, pix_out: row.pix_out_host };
  const found: AttentionReason[] = [];
  if (row.failing_since !== null)
    found.push({ kind: "failing", since: iso(row.failing_since), code: row.fault_code ?? "" });
  if (row.outside_at !== null)
    found.push({
      kind: row.outside_only_value === 1 ? "other_value" : "changed_outside",
      since: iso(row.outside_at),
      types: typesIn(row.outside_types),
    });
  if (row.missing_since !== null)
    found.push({
      kind: "type_missing",
      since: iso(row.missing_since),
      types: webhookTypes.filter((type) => hosts[type] === null),
    });
  if (row.unprotected_since !== null)
    found.push({
      kind: "no_authorization",
      since: iso(row.unprotected_since),
      types: typesIn(row.without_authorization),
    });
  return found.sort((one, other) => (one.since < other.since ? -1 : 1));
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
