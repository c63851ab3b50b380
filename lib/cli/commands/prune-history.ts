import { CliError } from "@/lib/cli/failure";
import { knownEnds, requireKnown, type KnownEnds } from "@/lib/cli/known-ends";
import { requireOwner, withDatabase } from "@/lib/cli/prepare-database";
import { chainFaults } from "@/lib/history/server/record/chain";
import { pruneChain, type Pruned } from "@/lib/history/server/verify/prune";
import type { Db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { people } from "@/lib/platform/secrets/model/people";
import { UsageError, type Command } from "./command";

export const command: Command = {
  help: `Usage: gancho prune-history [--before DATE] [--yes] [PARTNER…]

Shows how many entries older than RETAIN_HISTORY_DAYS the history of all partners and of the people of
the installation (${people}) has, or the histories of those named; with --yes it removes them. The
removal is permanent: only a backup still has the entries. In the same transaction each history gets an
entry that states up to which position entries were removed, and the seal of the last one:
verify-history begins there.

It first verifies each history, and leaves one with a fault as it is. It never removes the newest
entry. The command can run while Gancho serves. You can stop it at any time and start it again.

With --yes, run it as the database user that owns the tables: a separate user for serving cannot
remove history.

  --before DATE  only what is older than this date or time, such as 2021-01-01
  --yes          removes; without it nothing is changed

Exit code 0: done, or nothing to do. 1: a history was left as it is; the output states which and
why.`,
  options: {
    before: { type: "string" },
    yes: { type: "boolean" },
  },
  positionals: 10_000,
  run: async ({ values, positionals }) => {
    const config = env();
    const before = cutoffOf(values["before"], config.retainHistoryDays);
    const ends: KnownEnds = (await knownEnds(null)) ?? new Map();
    await withDatabase(config, async (db) => {
      const tryOnly = values["yes"] !== true;
      if (!tryOnly) await requireOwner(config, db);
      for (const named of positionals) await requireKnown(db, named, ends);
      const chains = positionals.length > 0 ? positionals : await chainsOf(db);
      process.exitCode = await pruneChains(db, chains, ends, { before, tryOnly });
    });
  },
};

/** Throws `CliError` where no age is configured, and `UsageError` for a date that it does not allow. */
function cutoffOf(before: unknown, days: number | null): number {
  if (days === null)
    throw new CliError(
      "the history is kept for good: set RETAIN_HISTORY_DAYS to how many days of it are to stay; nothing was changed",
    );
  const latest = Date.now() - days * 86_400_000;
  if (typeof before !== "string") return latest;
  const moment = /^\d{4}-\d\d-\d\d/.test(before) ? Date.parse(before) : Number.NaN;
  if (Number.isNaN(moment))
    throw new UsageError("--before is not a day or a moment, such as 2021-01-01");
  if (moment > latest)
    throw new UsageError(
      `--before is later than RETAIN_HISTORY_DAYS allows: the last ${days} days stay`,
    );
  return moment;
}

async function chainsOf(db: Db): Promise<string[]> {
  const heads = await db
    .selectFrom("history_heads")
    .select("partner_id")
    .orderBy("partner_id")
    .execute();
  return heads.map(({ partner_id }) => partner_id);
}

async function pruneChains(
  db: Db,
  chains: readonly string[],
  ends: KnownEnds,
  terms: { before: number; tryOnly: boolean },
): Promise<number> {
  const sum = { entries: 0, chains: 0, left: 0 };
  for (const chain of chains) {
    const pruned = await pruneChain(db, chain, { ...terms, anchors: ends.get(chain) ?? [] });
    const why = whyNotPruned(pruned);
    if (why !== null) {
      sum.left += 1;
      console.log(`${chain}: nothing was removed. ${why}`);
    }
    if (!("entries" in pruned)) continue;
    sum.entries += pruned.entries;
    sum.chains += 1;
  }
  const of = `${sum.entries.toLocaleString("en")} entries of ${sum.chains.toLocaleString("en")} histories, from before ${new Date(terms.before).toISOString()}`;
  console.log(terms.tryOnly ? `Would be removed: ${of}.` : `Removed: ${of}.`);
  if (terms.tryOnly) console.log("Nothing was changed. To remove them permanently, add --yes.");
  return sum.left > 0 ? 1 : 0;
}

function whyNotPruned(pruned: Pruned): string | null {
  if (pruned.outcome !== "wrong") return null;
  const { seq, reason } = pruned.fault;
  return `Something is wrong with it: entry ${seq} ${chainFaults[reason]}. See verify-history`;
}
