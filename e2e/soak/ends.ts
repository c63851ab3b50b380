import { isFollowed } from "@/lib/platform/database/tables";
import type { Db } from "@/lib/platform/database/open";
import { setTimeout as pause } from "node:timers/promises";
import { followMs, type Installation, type Running } from "./installation";
import { type SoakPartner, held } from "./partner";
import { tally, type Report } from "./report";
import { checkReported, type Reported } from "./truth";

/**
 * How much longer a save may stay open: for a stalled or dead process, its lease, and rounds of the
 * follower on a busy machine.
 */
const slackMs = 180_000;

/** How late Gancho may follow up a save for the last time on a busy machine. */
const overdueMs = 30_000;

/** Resolves when all saves of these partners have ended; one that stays open for too long is a violation. */
export async function untilEnded(
  db: Db,
  report: Report,
  partners: readonly SoakPartner[],
): Promise<void> {
  const ids = partners.map(({ id }) => id);
  // Where the service could not be read when a save's time was over, it is read again after as long.
  const giveUpAt = performance.now() + 2 * followMs + slackMs;
  for (;;) {
    const open = await db
      .selectFrom("changes")
      .select(["partner_id", "state", "outcome"])
      .where("partner_id", "in", ids)
      .where(isFollowed)
      // An overtaken save may take effect late, so Gancho reads once more when its time is over. If the service could
      // not be read then, the next read closes the save, and the caller reads next.
      .where(({ eb, or }) =>
        or([eb("state", "!=", "ended"), eb("created_at", ">", Date.now() - followMs - overdueMs)]),
      )
      .execute();
    if (open.length === 0) return;
    if (performance.now() > giveUpAt)
      return report.violation(`saves never ended: ${JSON.stringify(open)}`);
    await pause(1_000);
  }
}

/** The last save of its partner. */
export type Sent = {
  what: string;
  partner: SoakPartner;
  operation: string;
  url: string;
  /** As in `Truth`. */
  refused: boolean;
};

/** Waits until all of them have ended, and compares the last report on each with what the service holds then. */
export async function checkEnds(
  { db, people: [person], sandboxUrl }: Installation,
  gancho: Running,
  report: Report,
  sent: readonly Sent[],
): Promise<void> {
  if (sent.length === 0) return;
  await untilEnded(
    db,
    report,
    sent.map(({ partner }) => partner),
  );
  const ends: string[] = [];
  for (const { what, partner, operation, url, refused } of sent) {
    const read = await gancho.read(person, partner);
    report.check(
      read.configuration?.stale === false,
      () => `${what}: cannot be read (${read.code})`,
    );
    const end = await endOf(db, operation);
    if (!end) continue;
    ends.push(end.outcome);
    const after = await held(sandboxUrl, partner);
    checkReported(report, `${what}, in the end`, end.reported, { url, after, refused }, true);
  }
  report.figure("how they ended", tally(ends));
}

/** The last report on a save; null where it was never recorded, so that nothing can have been sent. */
async function endOf(db: Db, operation: string) {
  const row = await db
    .selectFrom("changes")
    .innerJoin("history", "history.request_id", "changes.request_id")
    .select(["history.outcome", "history.detail_json"])
    .where("changes.id", "=", operation)
    .where("history.kind", "=", "save")
    .orderBy("history.seq", "desc")
    .executeTakeFirst();
  if (!row) return null;
  const { changes } = JSON.parse(row.detail_json) as { changes: Reported[] };
  return { outcome: row.outcome ?? "none", reported: changes };
}
