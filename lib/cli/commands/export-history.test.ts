import { fromSource } from "@/lib/cli/programs.mjs";
import { root } from "@/lib/cli/root";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import { recordHistory, recordPerson, byNobody } from "@/lib/history/server/record/record";
import { anchorFile } from "@/lib/history/server/verify/anchor-file";
import {
  aSave,
  anAttempt,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

beforeAll(async () => {
  await startHistoryWorld();
  await dropTheTriggers();
});

type Line = { chain: string; seq: number; id: string; kind: string; seal: string; before: string };

const folder = newFolder();
let partner: string;
let file: string;
/** What the collector kept. */
let kept: string;
beforeEach(async () => {
  partner = await newPartner();
  file = `${folder}/${randomUUID()}`;
  kept = "";
});

/** One run of the collector. */
async function collect(...words: string[]) {
  const ran = await runGancho(["export-history", ...words, "--after-file", file]);
  kept += ran.out;
  return ran;
}
const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
const seqs = (text: string) => linesOf(text).map(({ seq }) => seq);

/** `end`: that of the program, which may be killed. */
function recorder(chain: string, count: number) {
  const program = fromSource("lib/history/testing/record-program.ts");
  const child = spawn(process.execPath, [...program, chain, String(count)], {
    cwd: root,
    env: process.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { child, end: once(child, "close") };
}

it("gives a collector each entry once, in order, while two instances make entries and one is killed", async () => {
  const others = [await newPartner(), await newPartner()];
  const chains = [partner, ...others];
  const [first, second] = [recorder(partner, 1e9), recorder(partner, 60)];
  const third = recorder(others[0] ?? "", 60);
  let isOver = false;
  const ended = Promise.all([second.end, third.end]).then(() => (isOver = true));
  for (let runs = 0; !isOver; runs += 1) {
    expect(await collect("--all")).toMatchObject({ code: 0, err: "" });
    if (linesOf(kept).length > 20) first.child.kill("SIGKILL");
  }
  await ended;
  await first.end;
  await record(aSave(others[1] ?? ""));
  await collect("--all");
  const nothingNew = await collect("--all");
  expect(nothingNew).toEqual({ code: 0, err: "", out: "" });
  const stored = await db()
    .selectFrom("history")
    .select(["partner_id as chain", "seq", "id", "mac as seal"])
    .where("partner_id", "in", chains)
    .orderBy("partner_id")
    .orderBy("seq")
    .execute();
  const got = linesOf(kept).filter(({ chain }) => chains.includes(chain));
  expect(got).toHaveLength(stored.length);
  for (const chain of chains)
    expect(
      got
        .filter((line) => line.chain === chain)
        .map(({ seq, id, seal }) => ({ chain, seq, id, seal })),
    ).toEqual(
      stored.filter((row) => row.chain === chain).map((row) => ({ ...row, seq: Number(row.seq) })),
    );
}, 60_000);

it("names people, hosts and seals, and no fingerprint that could be guessed at", async () => {
  await record(aSave(partner), aSave(partner));
  const { out } = await collect(partner);
  const [one, two] = linesOf(out);
  expect(one).toMatchObject({ chain: partner, seq: 1, before: "", kind: "save_shown" });
  expect(two?.before).toBe(one?.seal);
  expect(out).not.toContain("9c41e07d9c41e07d");
});

it("repeats what a killed run may not have written, and never leaves it out", async () => {
  await record(aSave(partner));
  await collect(partner);
  await record(aSave(partner));
  // Killed before the file moved on.
  await runGancho(["export-history", partner]);
  expect(seqs((await collect(partner)).out)).toEqual([2]);
});

it("leaves out what prune-history removed before it was exported, and goes on behind it", async () => {
  await record(aSave(partner), aSave(partner), aSave(partner));
  const { mac } = await rowOf("history", { partner_id: partner, seq: 2 });
  await inTransaction(async (trx) => {
    await trx
      .deleteFrom("history")
      .where("partner_id", "=", partner)
      .where("seq", "<=", 2)
      .execute();
    await trx
      .insertInto("history_checkpoints")
      .values({ partner_id: partner, seq: 2, mac, entry_seq: 4 })
      .execute();
  });
  const [line] = linesOf((await collect(partner)).out);
  expect(line).toMatchObject({ seq: 3, before: mac });
});

it.each([
  [[], "give --all, or the partners to export"],
  [["--all", "aurora"], "give --all, or the partners to export"],
])("refuses %j", async (words, message) => {
  const { code, err } = await runGancho(["export-history", ...words]);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

it("refuses a file that it did not write, an unknown partner, and a second run at the same time", async () => {
  writeFileSync(file, "{}");
  expect(await collect("--all")).toMatchObject({ code: 1, out: "" });
  expect((await runGancho(["export-history", "nobody-here"])).err).toContain("there is no partner");
  rmSync(file);
  const both = await Promise.all([collect("--all"), collect("--all")]);
  // Each of both may be the first.
  expect(both.map(({ code }) => code).sort()).not.toContain(2);
});

const restored = () =>
  inTransaction((trx) =>
    recordHistory(trx, { ...byNobody, partnerId: partner, kind: "history_restored", detail: {} }),
  );

/** As an older backup has it: the entries up to this position, and the note of the end. */
async function goBackTo(seq: number): Promise<void> {
  const { mac } = await rowOf("history", { partner_id: partner, seq });
  await db()
    .deleteFrom("history")
    .where("partner_id", "=", partner)
    .where("seq", ">", seq)
    .execute();
  await update("history_heads", { seq, mac }, { partner_id: partner });
}

it("exports again from where a restored backup may differ, and says so once", async () => {
  for (let run = 0; run < 3; run += 1) {
    await record(aSave(partner), aSave(partner));
    await collect(partner);
  }
  await goBackTo(5);
  await restored();
  await record(aSave(partner));
  const { code, out, err } = await collect(partner);
  expect(code).toBe(1);
  expect(err).toContain("exported again from 5 on");
  expect(seqs(out)).toEqual([5, 6, 7]);
  expect(await collect(partner)).toMatchObject({ code: 0, out: "" });
});

/** As a backup from before the partner's first entry has it. */
async function forget(chain: string): Promise<void> {
  for (const table of ["history", "history_heads"] as const)
    await db().deleteFrom(table).where("partner_id", "=", chain).execute();
}

it("says once that a history is gone whole", async () => {
  await record(aSave(partner), aSave(partner));
  await collect("--all");
  await forget(partner);
  expect(await collect("--all")).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      `${partner}: entries that were exported are no longer there`,
    ) as string,
  });
  expect(await collect("--all")).toEqual({ code: 0, out: "", err: "" });
});

describe("verify-history --log", () => {
  /** Without the anchor file, which somebody may have cut, too. */
  const verify = () => verifyAll(partner);
  async function verifyAll(...chains: string[]) {
    const log = `${folder}/${randomUUID()}.jsonl`;
    writeFileSync(log, kept);
    rmSync(anchorFile(), { force: true });
    return runGancho(["verify-history", ...chains, "--log", log]);
  }
  beforeEach(async () => {
    await record(aSave(partner), aSave(partner), anAttempt(partner, "q"), aSave(partner));
    await collect(partner);
  });
  const change = () => db().updateTable("history").where("partner_id", "=", partner);

  it("finds nothing in what nobody touched, also with newer entries", async () => {
    await record(aSave(partner));
    const { code, out } = await verify();
    expect(out).toContain("up to the ends that the database and the log have");
    expect(code).toBe(0);
  });

  it("finds an entry that was changed", async () => {
    await change().set({ outcome: "partly" }).where("seq", "=", 2).execute();
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining("entry 2 is not what was recorded") as string,
    });
  });

  it("finds one that was removed in the middle", async () => {
    await db()
      .deleteFrom("history")
      .where("partner_id", "=", partner)
      .where("seq", "=", 2)
      .execute();
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining("entry 2 is missing, though") as string,
    });
  });

  it("finds an end that was cut together with its note in the database and the anchor file (threat: somebody who can write to both)", async () => {
    await goBackTo(2);
    expect((await runGancho(["verify-history", partner])).out).toContain("entry 3 is missing");
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining("entry 3 is missing, and everything after it") as string,
    });
    rmSync(anchorFile(), { force: true });
    expect((await runGancho(["verify-history", partner])).code).toBe(3);
  });

  it("finds entries that a holder of the keys made anew in place of others (threat: an operator who rewrites the past)", async () => {
    await goBackTo(2);
    await record(aSave(partner), aSave(partner), aSave(partner));
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining("entry 4 is not the one that was noted") as string,
    });
  });

  it("finds a restored backup, and where the history says so itself, how much was lost", async () => {
    await goBackTo(2);
    const before = await verify();
    expect(before).toMatchObject({ code: 1 });
    await restored();
    await collect(partner);
    const { code, out } = await verify();
    expect(out).toContain(
      `${partner}: entry 3 says that a backup was restored; the log has 2 entries`,
    );
    expect(code).toBe(0);
  });

  const installationRestored = () =>
    inTransaction((trx) =>
      recordPerson(trx, {
        who: null,
        kind: "installation_restored",
        clientAddress: null,
        requestId: null,
        outcome: null,
        detail: { sessions: 0, links: 0 },
      }),
    );

  it("finds that a history is gone whole, and after a restore that it began after the backup, also where it began anew", async () => {
    await forget(partner);
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining("entry 1 is missing, and everything after it") as string,
    });
    await installationRestored();
    await collect("--all");
    const gone = await verifyAll();
    expect(gone.out).toContain(
      `${partner}: began after the backup that was restored; the log has 4 entries that were lost by it`,
    );
    expect(gone.out).not.toContain(`${partner}: entry`);
    // Imported again, for example.
    await record(aSave(partner));
    await collect("--all");
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it("finds that a history is gone that was in the restored backup (threat: deleting it after a restore)", async () => {
    await restored();
    await installationRestored();
    await collect("--all");
    await forget(partner);
    expect((await verifyAll()).out).toContain(`${partner}: entry 1 is missing, and everything`);
  });

  it("reads the log of the instances, too", async () => {
    const lines = linesOf(kept).map(({ chain, seq, id, kind, seal }) =>
      JSON.stringify({ level: 30, audit: { chain, seq, kind, id, seal }, msg: "recorded" }),
    );
    kept = `{"level":30,"msg":"started"}\nnot json "seal"\n${lines.join("\n")}\n`;
    expect(await verify()).toMatchObject({ code: 0 });
    await goBackTo(3);
    expect(await verify()).toMatchObject({ code: 1 });
  });

  it("names a history that the log does not know, and a log that names none", async () => {
    const other = await newPartner();
    await record(aSave(other));
    const log = `${folder}/${randomUUID()}.jsonl`;
    writeFileSync(log, kept);
    const { code, out } = await runGancho(["verify-history", partner, other, "--log", log]);
    expect(out).toContain("The log does not know 1 of these histories");
    expect(code).toBe(3);
    writeFileSync(log, "");
    expect((await runGancho(["verify-history", "--log", log])).err).toContain("names no entry");
  });
});
