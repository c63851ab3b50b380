import { fileSink, outputSink } from "@/lib/audit-stream/server/sinks";
import { AuditStream, forgetStream, SinkFailed } from "@/lib/audit-stream/server/stream";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { onStop } from "@/lib/cli/stop";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { beginStopping, isStopping } from "@/lib/platform/runtime/in-flight";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Misuse, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- audit-stream [--to FILE] [--name NAME] [--once | --forget]

Writes the history of every partner and the activity of people as JSON lines, from the first entry
on, and continues with new entries until it is stopped (Ctrl-C, SIGTERM). It writes each entry at
least once, with an id that identifies repeats, and the entries of each chain in their order.

It stores its position in the database after the lines are on the disk. However the program ends,
even by kill -9, the next one continues from there. Several may run, on any machine: one of them
writes, and another takes over within half a minute after it died.

  --to FILE    appends to this file, which may be moved away at any time. Default: standard output,
               which is only as safe as the program that reads it
  --name NAME  a separate stream with its own position, for a second reader. Default name: default
  --once       ends once everything is written
  --forget     writes nothing, and deletes the position of the stream of this name: for a stream
               that no one reads any more, and for whose entries prune-history would wait

Exit code 0: it was stopped, or with --once everything is written. 1: the lines could not be
written.

  npm run gancho -- audit-stream --to /var/log/gancho/audit.jsonl
  npm run --silent gancho -- audit-stream | vector --config siem.toml`,
  options: {
    to: { type: "string" },
    name: { type: "string" },
    once: { type: "boolean" },
    forget: { type: "boolean" },
  },
  positionals: 0,
  run: async ({ values }) => {
    const name = String(values["name"] ?? "default");
    if (!/^[a-z0-9-]{1,40}$/.test(name))
      throw new Misuse("--name must have 1 to 40 lower-case letters, digits and -");
    const file = values["to"] === undefined ? null : path.resolve(String(values["to"]));
    // Its lines would be among those of the stream.
    if (!file) log.level = "silent";
    const database = await prepareDatabase(env());
    if (values["forget"] === true) {
      const isKnown = await forgetStream(database, name);
      await database.destroy();
      if (!isKnown) throw new Failure(`there is no stream ${name}; nothing was changed`);
      console.log(
        `The stream ${name} is forgotten: if it runs again, it begins with the first entry.`,
      );
      return;
    }
    await database.destroy();
    onStop(beginStopping);
    let troubles = 0;
    const stream = new AuditStream({
      name,
      sink: file ? fileSink(file) : outputSink(process.stdout),
      onTrouble: (error, chain) => {
        troubles += 1;
        console.error(`The entries of ${chain} could not be read: ${messageOf(error)}`);
      },
    });
    try {
      await follow(stream, values["once"] === true, () => troubles);
    } finally {
      await stream.end().catch(() => undefined);
    }
  },
};

/**
 * Milliseconds until the next attempt: when everything is written, while another program writes, and after a failure.
 */
const idleMs = 1_000;
const standbyMs = 5_000;
const afterFailureMs = 5_000;

async function follow(stream: AuditStream, once: boolean, troubles: () => number): Promise<void> {
  let isStandingBy = false;
  while (!isStopping()) {
    const before = troubles();
    const outcome = await attempt(stream);
    if (outcome === "standby" && !isStandingBy)
      console.error("Another program writes this stream; this one stands by.");
    isStandingBy = outcome === "standby";
    const isTrouble = outcome === "failed" || troubles() > before;
    if (once && isTrouble) throw new Failure("not everything could be written: see above");
    if (once && outcome === 0) return;
    if (isTrouble) await quiet(afterFailureMs);
    else if (isStandingBy) await quiet(standbyMs);
    else if (outcome === 0) await quiet(idleMs);
  }
}

async function attempt(stream: AuditStream): Promise<number | "standby" | "failed"> {
  try {
    return (await stream.holds()) ? await stream.step() : "standby";
  } catch (error) {
    // A full disk, or a reader that is gone: the operator of this program has to act.
    if (error instanceof SinkFailed)
      throw new Failure(`the lines could not be written: ${error.message}`);
    // The database may be away for a while.
    console.error(`The history could not be read: ${messageOf(error)}`);
    return "failed";
  }
}

async function quiet(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (!isStopping() && performance.now() < until) await pause(100);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
