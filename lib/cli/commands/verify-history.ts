import { forPrograms } from "@/lib/platform/database/deadline";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { keyringOf } from "@/lib/platform/secrets/envelope";
import { matchKeys } from "@/lib/cli/key-lines";
import { chainFaults, type Removal } from "@/lib/history/server/record/chain";
import {
  verifyChain,
  verifyEveryChain,
  type ChainReport,
} from "@/lib/history/server/verify/verify";
import { people } from "@/lib/platform/secrets/model/people";
import {
  endsInLogs,
  knownEnds,
  leaveOutLost,
  requireKnown,
  type KnownEnds,
} from "@/lib/cli/known-ends";
import { onDatabase, requireDatabase } from "@/lib/cli/prepare-database";
import type { Command } from "./command";

/** The exit codes. */
const exit = { right: 0, wrong: 1, notVerified: 2, noAnchor: 3 } as const;

export const command: Command = {
  help: `Usage: gancho verify-history [PARTNER…] [--log FILE]… [--anchors FILE]…

Verifies the history of all partners and of the people of the installation (their sign-ins,
passwords, codes and staff), or of those named; the people's is named ${people}. It verifies

  - that every entry is what was recorded, in the position in which it was recorded, and that none
    is missing; it names the first bad entry of each history
  - that an entry says so where the oldest entries were removed (prune-history)

It says nothing of other tables: whoever may write to the database can change them without an entry.
Changes nothing, and can run while Gancho serves.

  --log FILE      what a collector kept: the lines of export-history, or the log of all instances with its
                  lines "recorded"; repeat it for several files, the oldest first. It shows an end that was
                  cut off also in the database's own note and in the anchor file, and entries that
                  somebody with the keys sealed anew. The anchor file is then not read.
  --anchors FILE  the file that records the ends of the chains outside the database; repeat it, or
                  put commas between, where Gancho runs on several hosts, which have one each.
                  Default: history-anchor.jsonl in GANCHO_DATA_DIR. Without a file, the command
                  cannot detect that the newest entries were cut off together with their note in the
                  database; with it, not that they were cut off in the file too.

After an older backup was restored, entries that the anchor file knows are gone, and this command
reports so. Once you understand why, move the old anchor file away and keep it: after-restore begins
a new one. docs/operate.md, "After an older backup was restored", has the steps.

Exit codes:
  0  nothing wrong was found
  1  something is not what was recorded
  2  the history could not be verified
  3  nothing wrong was found, but newest entries may have been cut off: there is no anchor file, or
     it does not know every history`,
  options: {
    anchors: { type: "string", multiple: true },
    log: { type: "string", multiple: true },
  },
  positionals: 10_000,
  run: async ({ values, positionals }) => {
    // Until the last chain is verified, there is no result.
    process.exitCode = exit.notVerified;
    const named = (option: string) =>
      [values[option] ?? []].flat().flatMap((given) => String(given).split(","));
    const [files, logs] = [named("anchors"), named("log")];
    const logged =
      logs.length > 0
        ? await endsInLogs(logs, files.length > 0 ? await knownEnds(files) : null)
        : null;
    const anchors = logged?.ends ?? (await knownEnds(files.length > 0 ? files : null));
    const source = logs.length > 0 ? "log" : "anchor";
    // Opening would create a missing embedded database; verifying must not.
    const config = env();
    requireDatabase(config);
    const opened = openDatabase(config.databaseUrl.reveal(), { limits: forPrograms });
    const chains = positionals.length > 0 ? positionals : null;
    await onDatabase(config, opened, async (db) => {
      // Without them every entry would look like another than was recorded.
      await matchKeys(db, keyringOf(config.encryptionKeys));
      if (logged) await leaveOutLost(db, logged.ends, logged.notSinceRestore);
      process.exitCode = await verify(db, chains, anchors, source);
    });
  },
};

/** What knows the ends of the histories outside the database. */
type Source = "anchor" | "log";

async function verify(
  db: Db,
  chains: readonly string[] | null,
  anchors: KnownEnds | null,
  source: Source,
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
  return conclude(sum, anchors !== null, source);
}

/** The conclusion, in words and as an exit code. */
function conclude(
  { bad, notAnchored }: { bad: number; notAnchored: number },
  anchored: boolean,
  source: Source,
): number {
  const cut = anchored
    ? `The ${source} does not know ${number(notAnchored)} of these histories: whether their newest entries were cut off cannot be seen.`
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
  if (source === "log") {
    console.log("Nothing wrong was found up to the ends that the database and the log have.");
    return exit.right;
  }
  console.log(
    "Nothing wrong was found up to the ends that the database and the anchor file have. An end that was cut off in both shows in the log alone: docs/operate.md, “The anchor file”.",
  );
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
