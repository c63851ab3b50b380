import { openDatabase, type Db } from "@/lib/db/open";
import { env } from "@/lib/env";
import { anchorFile, readAnchors, type ChainEnd } from "@/lib/history/anchor-file";
import { chainFaults } from "@/lib/history/chain";
import { verifyChain, verifyEveryChain, type ChainReport } from "@/lib/history/verify";
import { people } from "@/lib/secrets/people";
import { existsSync } from "node:fs";
import { databaseFailure } from "../database-failure";
import { Failure } from "../failure";
import type { Command } from "./command";

type Anchors = Map<string, ChainEnd[]>;

export const command: Command = {
  help: `Usage: npm run verify-history -- [PARTNER…] [--anchors FILE[,FILE…]]

Verifies the history of all partners and of the people of the installation (their sign-ins,
passwords, codes and staff), or of those named; the people's is named ${people}. Verified is that
every entry is what was recorded, in the place in which it was recorded, and that none is missing;
and that an approval which was given with a passkey is what that passkey signed, and what was sent.
Changes nothing, and can run while Gancho serves. Names the first bad entry of each history.

  --anchors FILES  where the ends of the chains were noted outside the database, one file for each
                   host that Gancho runs on. Left out: history-anchor.jsonl in GANCHO_DATA_DIR.
                   Without any, it is not seen when the newest entries were cut off together with
                   their note in the database.

After an older backup was restored, entries that the anchor knows are gone, and this says so. Once
that is understood, move the old anchor file away and keep it; a new one begins with the next entry.

Exit code 0: all is right. 1: something is not. 2: it could not be verified.`,
  options: { anchors: { type: "string" } },
  positionals: 10_000,
  run: async ({ values, positionals }) => {
    // Until the last chain is verified, nothing can be said.
    process.exitCode = 2;
    const anchors = await anchorsOf(values["anchors"]);
    const db = openExisting(env().databaseUrl.reveal());
    const reports =
      positionals.length > 0
        ? verifyThese(db, positionals, anchors)
        : verifyEveryChain(db, anchors);
    const sum = { partners: 0, people: false, entries: 0, bad: 0 };
    try {
      for await (const report of reports) {
        if (report.partnerId === people) sum.people = true;
        else if (report.entries > 0 || report.fault) sum.partners += 1;
        if (report.fault) sum.bad += 1;
        sum.entries += report.entries;
        tell(report);
      }
    } catch (error) {
      throw error instanceof Failure ? error : databaseFailure(env().databaseUrl, error);
    }
    await db.destroy();
    console.log(
      `Right: ${number(sum.entries)} entries. Partners with a history: ${number(sum.partners)}${
        sum.people ? ", and the people of this installation" : ""
      }. ` + (sum.bad === 0 ? "Nothing is wrong." : `Something is wrong with: ${number(sum.bad)}.`),
    );
    process.exitCode = sum.bad === 0 ? 0 : 1;
  },
};

async function* verifyThese(
  db: Db,
  partners: readonly string[],
  anchors: Anchors,
): AsyncGenerator<ChainReport> {
  for (const partner of partners) {
    const report = await verifyChain(db, partner, anchors.get(partner) ?? []);
    if (report.entries === 0 && !report.fault) {
      if (partner !== people && !(await isPartner(db, partner)))
        throw new Failure(`there is no partner ${partner}`);
      console.log(`${nameOf(partner)}: no history.`);
    }
    yield report;
  }
}

/** A name that was mistyped must not pass for a history in which nothing is wrong. */
async function isPartner(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("partners")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  return found !== undefined;
}

function tell({ partnerId, fault }: ChainReport): void {
  if (fault) console.log(`${nameOf(partnerId)}: entry ${fault.seq} ${chainFaults[fault.reason]}.`);
}

function nameOf(chain: string): string {
  return chain === people ? `the people of this installation (${people})` : chain;
}

/** What the files know, by partner. Throws `Failure` for a file that was named and cannot be read. */
async function anchorsOf(named: string | boolean | undefined): Promise<Anchors> {
  const ends: Anchors = new Map();
  const files = typeof named === "string" ? named.split(",") : [anchorFile()];
  for (const file of files) {
    if (typeof named !== "string" && !existsSync(file)) {
      console.warn(`There is no ${file}: whether newest entries were cut off can not all be seen.`);
      continue;
    }
    const { anchors, damaged } = await readAnchors(file).catch((error: unknown) => {
      throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : ""}`);
    });
    if (damaged > 0) console.warn(`${file} has ${damaged} lines that are damaged, and not used.`);
    for (const [partner, more] of anchors)
      ends.set(partner, [...(ends.get(partner) ?? []), ...more]);
  }
  return ends;
}

/** Opening creates an embedded database that is not there; verifying must not. */
function openExisting(url: string): Db {
  const file = /^file:(.*)$/.exec(url)?.[1];
  if (file !== undefined && !existsSync(file)) throw new Failure(`there is no database at ${url}`);
  return openDatabase(url);
}

function number(value: number): string {
  return value.toLocaleString("en");
}
