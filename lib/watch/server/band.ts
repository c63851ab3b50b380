import "server-only";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { bandDays, statesOfDay, type Band } from "@/lib/watch/model/band";
import { dayOf } from "./reading-log";
import { madeUpUntil } from "./made-up-past";
import { watchedEnvironment } from "./turns";

const dayMs = 86_400_000;

/** The state of each of the last sixty days of a partner's connection. Throws `not_found`. */
export async function readBand(
  { partner }: PartnerAccess<"webhooks.read">,
  environmentName: string,
): Promise<Band> {
  const { name: environment } = requireEnvironment(environmentName);
  const today = dayOf(Date.now());
  const rows = await db()
    .selectFrom("watch_days")
    .innerJoin("connections", "connections.id", "watch_days.connection_id")
    .select(["day", "readings", "failed", "outside", "slowest_ms"])
    .where("connections.partner_id", "=", partner.id)
    .where("connections.environment", "=", environment)
    .where("day", ">", today - bandDays)
    .execute();
  const by = new Map(rows.map((row) => [row.day, row]));
  const plan = watchedEnvironment(environment)?.plan;
  return {
    environment,
    madeUpUntil: await madeUpUntil((today - bandDays + 1) * dayMs),
    everyMinutes: plan ? plan.everyMs / 60_000 : null,
    days: Array.from({ length: bandDays }, (_, at) => {
      const day = today - bandDays + 1 + at;
      const row = by.get(day) ?? { day, readings: 0, failed: 0, outside: 0, slowest_ms: 0 };
      return {
        day: new Date(day * dayMs).toISOString().slice(0, 10),
        readings: row.readings,
        failed: row.failed,
        slowestMs: row.slowest_ms > 0 ? row.slowest_ms : null,
        states: statesOfDay(row),
      };
    }),
  };
}
