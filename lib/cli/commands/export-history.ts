import { readExported, writeExported } from "@/lib/cli/export-state";
import { CliError } from "@/lib/cli/failure";
import { matchKeys } from "@/lib/cli/key-lines";
import { requireKnown } from "@/lib/cli/known-ends";
import { onDatabase, requireDatabase } from "@/lib/cli/prepare-database";
import { newEntries } from "@/lib/history/server/export/new-entries";
import { takeLease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { people } from "@/lib/platform/secrets/model/people";
import { keyring } from "@/lib/platform/secrets/envelope";
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import path from "node:path";
import { UsageError, type Command } from "./command";

export const command: Command = {
  help: `Usage: gancho export-history --all|PARTNER… [--after-file FILE]

Writes the history of all partners and of the people of the installation (${people}), or those named, to
standard output: one JSON object on each line, the oldest entry of each history first. A line has the
entry as the dashboard's JSON export has it, its history in "chain", its position in "seq", its seal
in "seal" and that of the entry before in "before".

  --all              every history
  --after-file FILE  writes only what is new since the last run with this file, which the command
                     writes: run it every minute, for a collector. Keep the lines: verify-history --log
                     compares the database with them.

Needs no membership, and with PostgreSQL no more rights than those to serve. Changes no history, and can
run while Gancho serves. FILE moves on once everything is written: a run that was killed is repeated by
the next one, and "id" tells which lines came twice. Where a history is no longer what was exported, as
after a restore, it is exported again from the first position that may differ, and the command says so
on standard error and ends with 1, once.

Exit code 0: done. 1: a history is no longer what was exported, or the command failed.`,
  options: { all: { type: "boolean" }, "after-file": { type: "string" } },
  positionals: 10_000,
  run: async ({ values, positionals }) => {
    const all = values["all"] === true;
    if (all === positionals.length > 0)
      throw new UsageError("give --all, or the partners to export");
    const given = values["after-file"];
    const file = typeof given === "string" ? path.resolve(given) : null;
    const config = env();
    requireDatabase(config);
    // Standard output is for the entries alone.
    log.level = "silent";
    await onDatabase(config, db(), async () => {
      await matchKeys(db(), keyring());
      for (const chain of positionals) await requireKnown(db(), chain, new Map());
      const chains = all ? null : positionals;
      if (file === null) return void (await write(new Map(), chains));
      await withTurn(file, async () => {
        const exported = await readExported(file);
        await write(exported, chains);
        await writeExported(file, exported);
      });
    });
  },
};

async function write(
  exported: Parameters<typeof newEntries>[0],
  chains: readonly string[] | null,
): Promise<void> {
  for await (const { chain, lines, againFrom } of newEntries(exported, chains)) {
    if (againFrom !== null) {
      process.exitCode = 1;
      console.error(
        `${chain}: entries that were exported are no longer there, as after a restore; ${lines === "" ? "it has none" : `exported again from ${againFrom} on`}. See verify-history --log.`,
      );
    }
    await written(lines);
  }
}

/** Rejects where nobody reads any more. */
function written(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Two runs with one file would export the same twice. Throws `CliError` while another one runs. */
async function withTurn(file: string, work: () => Promise<void>): Promise<void> {
  const name = createHash("sha256").update(`${hostname()} ${file}`).digest("hex").slice(0, 32);
  const terms = { leaseMs: 10_000, renewForMs: 24 * 60 * 60_000, waitMs: 0 };
  const lease = await takeLease(`export-history ${name}`, terms);
  if (!lease)
    throw new CliError(
      `another run with ${file} has not ended, or was killed in the last ten seconds; nothing was exported`,
    );
  try {
    await work();
  } finally {
    await lease.release();
  }
}
