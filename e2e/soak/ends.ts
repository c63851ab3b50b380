import { isFollowed } from "@/lib/platform/database/tables";
import type { Db } from "@/lib/platform/database/open";
import { setTimeout as pause } from "node:timers/promises";
import { followMs, type Installation, type Running } from "./installation";
import { type SoakPartner, held } from "./partner";
import { tally, type Report } from "./report";
import { checkReported } from "./truth";

/**
 * How much longer a save may stay open: for a stalled or dead process, its lease, and rounds of the
 * follower on a busy machine.
 */
const slackMs = 180_000;

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
      .select(["partner_id", "state"])
      .where("partner_id", "in", ids)
      .where(isFollowed)
      .execute();
    if (open.length === 0) return;
    if (performance.now() > giveUpAt)
      return report.violation(`saves never ended: ${JSON.stringify(open)}`);
    await pause(1_000);
  }
}

/** The last save of its partner. */
export type Sent = { what: string; partner: SoakPartner; operation: string; url: string };

/** Waits until all of them have ended, and compares what is said of each then with what the service holds. */
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
  for (const { what, partner, operation, url } of sent) {
    const read = await gancho.read(person, partner);
    report.check(
      read.configuration?.stale === false,
      () => `${what}: cannot be read (${read.code})`,
    );
    const { result } = await gancho.ask(person, partner, operation);
    // It was never recorded, so that nothing can have been sent.
    if (!result) continue;
    ends.push(result.outcome);
    const after = await held(sandboxUrl, partner);
    checkReported(report, `${what}, in the end`, result.results, { url, after });
  }
  report.figure("how they ended", tally(ends));
}
