import { importAll, planAll, termsOf, type Counts } from "@/lib/cli/import-partners/import";
import { readLines, type LineFault, type PartnerLine } from "@/lib/cli/import-partners/lines";
import { CliError } from "@/lib/cli/failure";
import { withDatabase } from "@/lib/cli/prepare-database";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { requiredLineField } from "@/lib/platform/http/model/request-fields";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { UsageError, type Command, type Given } from "./command";

export const command: Command = {
  help: `Usage: gancho import-partners [FILE] [--yes] [--check] [--no-mail] [--resend] [--reason TEXT]

Sets up partners, their credentials and their first admins from a file, or from standard input: one
JSON object on each line,

  {"id": "aurora", "name": "Loja Aurora",
   "admins": [{"email": "ana@aurora.example", "name": "Ana Reis"}],
   "connections": {"production": {"client_id": "aurora", "client_secret": "…"}},
   "suspended": false}

on one line, of which id and name are required. Without --yes it shows for each line what it would do,
and changes nothing. Each fault is shown with its line. While one is in the file itself, nothing is
changed. One that only the database or the payment service shows leaves out its partner alone: a client
in use for another partner, which is named, credentials that take two admins or do not work, an admin
who is staff.

What is there already stays: the same file twice changes nothing. What differs is replaced: the name,
whether the partner is suspended, credentials. What a line leaves out stays as it is, and so does a
partner that the file does not have. A partner is imported as a whole or not at all: after it was
stopped, run it again. One import runs at a time, and a second one waits. People can work meanwhile.

Admins are invited to partners that have no admin yet; after that, their admins invite. The invitation
is the installation's, lasts for 14 days, and is mailed once. History and mails say that the operator
did it. With SIGN_IN=provider nobody is invited. Remove the file afterwards: it has secrets. Nothing
that is printed has one.

  --yes          does it; without it nothing is changed
  --check        first tries at the payment service what would be set up or replaced, five a second; with
                 --yes, the partner's page then has it as the last check
  --no-mail      mails no invitation. Without this, an import later mails those that wait; links:
                 gancho reset-access EMAIL --invitation
  --resend       invites those again whose invitation waits, expired or was revoked; earlier links stop
                 working. An open invitation that a person made stays as it is
  --reason TEXT  why credentials are replaced: the partner reads it in its history, and its admins in a
                 mail. Required where replacing them takes two admins (four-eyes approval)

Exit code 0: everything is as the file says, or would be. 1: there was a fault, or a mail failed.`,
  options: {
    yes: { type: "boolean" },
    check: { type: "boolean" },
    "no-mail": { type: "boolean" },
    resend: { type: "boolean" },
    reason: { type: "string" },
  },
  positionals: 1,
  run: async (given) => {
    const terms = {
      reason: reasonIn(given),
      resend: given.values["resend"] === true,
      mail: given.values["no-mail"] !== true,
    };
    const config = env();
    const text = await readFileOrInput(given.positionals[0]);
    const { lines, faults } = readLines(text, new Set(config.environments.keys()));
    if (faults.length > 0) throw new CliError(...inWords(faults), unchanged(faults));
    if (lines.length === 0) throw new CliError("the file has no line; nothing was changed");
    // Own connections as in a dashboard: other functions use them, too.
    await withDatabase(config, async () => {
      try {
        await run(given, lines, termsOf(terms));
      } finally {
        await db().destroy();
      }
    });
  },
};

function reasonIn({ values }: Given): string | null {
  const given = values["reason"];
  if (given === undefined) return null;
  const { data } = requiredLineField(maxReasonLength).safeParse(given);
  if (data === undefined)
    throw new UsageError(`--reason is not one line of at most ${maxReasonLength} characters`);
  return data;
}

/** Throws `CliError` for a file that cannot be read, or is no text. */
async function readFileOrInput(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) throw new UsageError("the FILE is missing");
  const bytes =
    file === undefined
      ? await buffer(process.stdin)
      : await readFile(file).catch((error: unknown) => {
          throw new CliError(`${file} cannot be read (${errorCode(error) ?? String(error)})`);
        });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CliError("the file is not UTF-8 text; nothing was changed");
  }
}

async function run(
  { values }: Given,
  lines: readonly PartnerLine[],
  terms: ReturnType<typeof termsOf>,
): Promise<void> {
  const tell = ({ line, id }: PartnerLine, words: readonly string[]) =>
    console.log(`line ${line}, ${id}: ${words.join("; ")}`);
  const check = values["check"] === true;
  const yes = values["yes"] === true;
  const planned = await planAll(lines, terms, { check, tell: yes ? () => undefined : tell });
  if (!yes) {
    console.log(summary(planned.counts));
    console.log("Nothing was changed. To do it, add --yes.");
    if (planned.faults.length > 0)
      throw new CliError(
        ...inWords(planned.faults),
        "These partners would be left as they are; all others would be done.",
      );
    return;
  }
  const waiting = () => console.log("Another import is running: waiting for its end.");
  const tried = { ...terms, tried: planned.tried };
  const { counts, faults } = await importAll(planned.plans, tried, { tell, waiting });
  console.log(summary(counts));
  if (counts.notMailed > 0) console.log(notMailed(counts.notMailed, terms.mails));
  if (faults.length > 0)
    throw new CliError(
      ...inWords(faults),
      "These partners were left as they were; all others are done.",
    );
  if (counts.notMailed > 0 && terms.mails) process.exitCode = 1;
}

function summary({ created, changed, same, connections, invitations, mailed }: Counts): string {
  const number = (value: number) => value.toLocaleString("en");
  return [
    `Partners: ${number(created)} new, ${number(changed)} changed, ${number(same)} as they were.`,
    `Connections: ${number(connections)}. Invitations: ${number(invitations)}${
      mailed > 0 ? `, mails: ${number(mailed)}` : ""
    }.`,
  ].join(" ");
}

function notMailed(count: number, failed: boolean): string {
  const many = count.toLocaleString("en");
  return failed
    ? `Mails that failed: ${many}. The log says why; import the file again to send them.`
    : `Invitations that were not mailed: ${many}. gancho reset-access EMAIL --invitation prints the link of one; with single sign-on people need none.`;
}

function inWords(faults: readonly LineFault[]): string[] {
  return faults.map(({ line, what }) => `line ${line} ${what}`);
}

function unchanged({ length }: readonly LineFault[]): string {
  return `${length === 1 ? "1 fault" : `${length} faults`}; nothing was changed`;
}
