import type { Db } from "@/lib/db/open";
import { setTimeout as pause } from "node:timers/promises";
import type { Installation, Running } from "./installation";
import type { SoakPartner } from "./partner";
import type { Report } from "./report";
import { held } from "./service";

/** After this long Gancho takes it that a write that does not show will not come any more (confirm-look.ts). */
const lateMs = 61_000;

type Loose = { partner: SoakPartner; requestId: string; wish: string };

/**
 * After the time in which a write may still come: looks once at each partner whose save was left open, and compares how
 * it was closed with what the service holds.
 */
export async function checkSettled(
  installation: Installation,
  gancho: Running,
  report: Report,
  loose: readonly Loose[],
): Promise<void> {
  if (loose.length === 0) return;
  await pause(lateMs);
  const [person] = installation.people;
  for (const { partner, requestId, wish } of loose) {
    const read = await gancho.read(person, partner);
    report.check(read.configuration?.stale === false, () => `${partner.id}: cannot be read again`);
    const is = (await held(installation.sandboxUrl, partner)).get("pix_in");
    const outcome = await lastOutcome(installation.db, partner.id, requestId);
    // Where a later save came first, nobody can tell any more what became of this one; "unknown" stays true.
    const truth = is === wish ? ["saved"] : ["not_saved", "unknown"];
    report.check(
      truth.includes(outcome ?? "none"),
      () => `${partner.id}: closed as ${outcome}, but the service holds ${is}, not ${wish}`,
    );
  }
  const open = await installation.db
    .selectFrom("saves")
    .select(["id", "state", "partner_id"])
    .where("state", "!=", "closed")
    .where(
      "partner_id",
      "in",
      loose.map(({ partner }) => partner.id),
    )
    .execute();
  report.check(open.length === 0, () => `${open.length} saves are still open`);
}

async function lastOutcome(db: Db, partnerId: string, requestId: string): Promise<string | null> {
  const row = await db
    .selectFrom("history")
    .select("outcome")
    .where("partner_id", "=", partnerId)
    .where("request_id", "=", requestId)
    .where("kind", "=", "save")
    .orderBy("seq", "desc")
    .executeTakeFirst();
  return row?.outcome ?? null;
}
