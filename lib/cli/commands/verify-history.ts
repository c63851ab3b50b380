import { forPrograms } from "@/lib/platform/database/deadline";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { chainFaults, type Removal } from "@/lib/history/server/record/chain";
import {
  verifyChain,
  verifyEveryChain,
  type ChainReport,
} from "@/lib/history/server/verify/verify";
import { people } from "@/lib/platform/secrets/model/people";
import { knownEnds, requireKnown, type KnownEnds } from "@/lib/cli/known-ends";
import { onDatabase, requireDatabase } from "@/lib/cli/prepare-database";
import type { Command } from "./command";

/** The exit codes. */
const exit = { right: 0, wrong: 1, notVerified: 2, noAnchor: 3 } as const;

export const command: Command = {
  help: `Usage: gancho verify-history [PARTNER…] [--anchors FILE[,FILE…]]

Verifies the history of all partners and of the people of the installation (their sign-ins,
passwords, codes and staff), or of those named; the people's is named ${people}. It verifies

  - that every entry is what was recorded, in the position in which it was recorded, and that none
    is missing; it names the first bad entry of each history
  - that an entry says so where the oldest entries were removed (prune-history)

It says nothing of other tables: whoever may write to the database can change them without an entry.
Changes nothing, and can run while Gancho serves.

  --anchors FILES  the files that record the ends of the chains outside the database, one for each
                   host that Gancho runs on. Default: history-anchor.jsonl in GANCHO_DATA_DIR.
                   Without a file, the command cannot detect that the newest entries were cut off
                   together with their note in the database.

After an older backup was restored, entries that the anchor file knows are gone, and this command
reports so. Once you understand why, move the old anchor file away and keep it: after-restore begins
a new one. docs/operate.md, "After an older backup was restored", has the steps.

Exit codes:
  0  everything is right
  1  something is not what was recorded
  2  the history could not be verified
  3  nothing wrong was found, but newest entries may have been cut off: there is no anchor file, or
     it does not know every history`,
  options: { anchors: { type: "string" } },
  positionals: 10_000,
  run: async ({ values, positionals }) => {
    // Until the last chain is verified, there is no result.
    process.exitCode = exit.notVerified;
    const anchors = await knownEnds(values["anchors"]);
    // Opening would create a missing embedded database; verifying must not.
    const config = env();
    requireDatabase(config);
    const opened = openDatabase(config.databaseUrl.reveal(), { limits: forPrograms });
    const chains = positionals.length > 0 ? positionals : null;
    await onDatabase(config, opened, async (db) => {
      process.exitCode = await verify(db, chains, anchors);
    });
  },
};

async function verify(
  db: Db,
  chains: readonly string[] | null,
  anchors: KnownEnds | null,
): Promise<number> {
  const noAnchors: KnownEnds = new Map();
  const reports = chains
    ? verifyChains(db, chains, anchors ?? noAnchors)
    : verifyEveryChain(db, anchors ?? noAnchors);
  const sum = { partners: 0, people: false, entries: 0, bad: 0, notAnchored: 0 };
  const removed = { entries: 0, chains: 0, last: "" };
  for await (const report of reports) {
    if (report.partnerId === people) sum.people ||= report.entries > 0 || report.fault !== null;
    else if (report.entries > 0 || report.fault) sum.partners += 1;
    if (report.fault) sum.bad += 1;
    if (report.entries > 0 && !anchors?.has(report.partnerId)) sum.notAnchored += 1;
    sum.entries += report.entries;
    const { removal } = report;
    if (removal) {
      removed.entries += removal.removed;
      removed.chains += 1;
      if (removal.at > removed.last) removed.last = removal.at;
      if (chains) console.log(`${nameOf(report.partnerId)}: ${removalText(removal)}.`);
    }
    if (report.fault) {
      const { seq, reason } = report.fault;
      console.log(`${nameOf(report.partnerId)}: entry ${seq} ${chainFaults[reason]}.`);
    }
  }
  console.log(
    `Right: ${number(sum.entries)} entries. Partners with a history: ${number(sum.partners)}${
      sum.people ? ", and the people of this installation" : ""
    }.`,
  );
  if (removed.chains > 0)
    console.log(
      `Removed before, as entries say: ${number(removed.entries)} entries of ${number(removed.chains)} histories, the last of them at ${removed.last}.`,
    );
  return conclude(sum, anchors !== null);
}

/** The conclusion, in words and as an exit code. */
function conclude(
  { bad, notAnchored }: { bad: number; notAnchored: number },
  anchored: boolean,
): number {
  const cut = anchored
    ? `The anchor does not know ${number(notAnchored)} of these histories: whether their newest entries were cut off cannot be seen.`
    : "There is no anchor: whether newest entries were cut off, together with their note in the database, cannot be seen.";
  const mayBeCut = !anchored || notAnchored > 0;
  if (mayBeCut) console.log(cut);
  if (bad > 0) {
    console.log(`Something is wrong with: ${number(bad)}.`);
    return exit.wrong;
  }
  if (mayBeCut) {
    console.log("Nothing wrong was found in what could be checked.");
    return exit.noAnchor;
  }
  console.log("Nothing is wrong.");
  return exit.right;
}

function removalText({ removed, newest, at }: Removal): string {
  return `its first ${number(removed)} entries, up to ${newest}, were removed at ${at}`;
}

async function* verifyChains(
  db: Db,
  partners: readonly string[],
  anchors: KnownEnds,
): AsyncGenerator<ChainReport> {
  for (const partner of partners) {
    await requireKnown(db, partner, anchors);
    const report = await verifyChain(db, partner, anchors.get(partner) ?? []);
    if (report.entries === 0 && !report.fault) console.log(`${nameOf(partner)}: no history.`);
    yield report;
  }
}

function nameOf(chain: string): string {
  return chain === people ? `the people of this installation (${people})` : chain;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
