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
  help: `Usage: gancho prune-history [--before DATE] [--check] [PARTNER…]

Removes the oldest entries, those older than RETAIN_HISTORY_DAYS, from the history of all partners
and of the people of the installation (${people}), or of those named. The removal is permanent: only
a backup still has the entries. In the same transaction each history gets an entry that states up to
which position entries were removed, and the seal of the last one: verify-history begins there.

It first verifies each history, and leaves one with a fault as it is. It never removes the newest
entry. The command can run while Gancho serves. You can stop it at any time and start it again.

Run it as the database user that owns the tables: a separate user for serving cannot remove history.

  --before DATE  removes what is older than this date or time, such as 2021-01-01, instead
  --check        only reports how many entries it would remove

Exit code 0: done, or nothing to do. 1: a history was left as it is; the output states which and
why.`,
  options: {
    before: { type: "string" },
    check: { type: "boolean" },
  },
  positionals: 10_000,
  run: async ({ values, positionals }) => {
    const config = env();
    const before = cutoffOf(values["before"], config.retainHistoryDays);
    const ends: KnownEnds = (await knownEnds(undefined)) ?? new Map();
    await withDatabase(config, async (db) => {
      await requireOwner(config, db);
      for (const named of positionals) await requireKnown(db, named, ends);
      const chains = positionals.length > 0 ? positionals : await chainsOf(db);
      const terms = { before, tryOnly: values["check"] === true };
      process.exitCode = await pruneChains(db, chains, ends, terms);
    });
  },
};

/** Throws `UsageError`, or `CliError` where no age is configured. */
function cutoffOf(before: string | boolean | undefined, days: number | null): number {
  if (typeof before === "string") {
    const moment = /^\d{4}-\d\d-\d\d/.test(before) ? Date.parse(before) : Number.NaN;
    if (Number.isNaN(moment))
      throw new UsageError("--before is not a day or a moment, such as 2021-01-01");
    if (moment > Date.now()) throw new UsageError("--before is in the future");
    return moment;
  }
  if (days === null)
    throw new CliError(
      "the history is kept for good: set RETAIN_HISTORY_DAYS, or say --before DATE",
    );
  return Date.now() - days * 86_400_000;
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
  const of = `${sum.entries.toLocaleString("en")} entries of ${sum.chains.toLocaleString("en")} histories`;
  console.log(terms.tryOnly ? `Would be removed: ${of}.` : `Removed: ${of}.`);
  return sum.left > 0 ? 1 : 0;
}

function whyNotPruned(pruned: Pruned): string | null {
  if (pruned.outcome !== "wrong") return null;
  const { seq, reason } = pruned.fault;
  return `Something is wrong with it: entry ${seq} ${chainFaults[reason]}. See verify-history`;
}
