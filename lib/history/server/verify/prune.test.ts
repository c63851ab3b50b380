import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import { fromSource } from "@/lib/cli/programs.mjs";
import { readChain } from "@/lib/history/server/verify/read-chain";
import { recordPerson } from "@/lib/history/server/record/record";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  newPerson,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { historyOf } from "@/lib/history/testing/people-entries";
import { db } from "@/lib/platform/database/open";
import { people } from "@/lib/platform/secrets/model/people";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { anchorFile, readAnchors } from "./anchor-file";
import { pruneChain, type Pruned } from "./prune";
import { inEnglish } from "@/lib/history/testing/with-access";
import { exportChain } from "@/lib/history/server/export/export";
import { verifyChain, verifyEveryChain } from "./verify";

vi.mock("@/lib/alerts/server/enqueue", { spy: true });

let partner: string;

beforeAll(startHistoryWorld);
beforeEach(async () => {
  partner = await newPartner();
});

const inAMinute = () => Date.now() + 60_000;

const ends = async (chain: string) => (await readAnchors(anchorFile())).anchors.get(chain) ?? [];

const prune = async (chain = partner, before = inAMinute()): Promise<Pruned> =>
  pruneChain(db(), chain, { before, anchors: await ends(chain) });

const verified = async (chain = partner) => verifyChain(db(), chain, await ends(chain));

const fill = (count: number) => record(...Array.from({ length: count }, () => aSave(partner)));

const positions = async () => (await historyOf(partner)).map(({ seq }) => Number(seq));

/** Done by somebody who owns the database without Gancho's keys. `entrySeq`: the entry that supposedly records it. */
async function deleteUpTo(seq: number, entrySeq = seq + 1): Promise<void> {
  const row = await rowOf("history", { partner_id: partner, seq });
  const checkpoint = { seq, mac: row.mac, entry_seq: entrySeq };
  await db()
    .insertInto("history_checkpoints")
    .values({ partner_id: partner, ...checkpoint })
    .onConflict((conflict) => conflict.column("partner_id").doUpdateSet(checkpoint))
    .execute();
  await dropTheTriggers();
  const chain = db().deleteFrom("history").where("partner_id", "=", partner);
  await chain.where("seq", "<=", seq).execute();
}

describe("removing the oldest entries", () => {
  it("leaves a chain that verifies from its checkpoint, says what was removed, and goes on growing", async () => {
    await fill(7);
    expect(await prune()).toMatchObject({ outcome: "removed", entries: 6 });
    expect(await positions()).toEqual([7, 8]);
    await fill(2);
    expect(await verified()).toMatchObject({ entries: 4, fault: null, removal: { removed: 6 } });
    expect(await prune()).toMatchObject({ outcome: "removed", entries: 3 });
    const all = [];
    for await (const one of verifyEveryChain(db(), new Map())) all.push(one);
    const removal = expect.objectContaining({ removed: 9 }) as unknown;
    expect(all).toContainEqual({ partnerId: partner, entries: 2, fault: null, removal });
  });

  it("removes only older entries, and never the newest one", async () => {
    await fill(3);
    expect(await prune(partner, Date.now() - 60_000)).toEqual({ outcome: "nothing" });
    expect(await positions()).toEqual([1, 2, 3]);
    await prune();
    expect(await positions()).toEqual([3, 4]);
  });

  it("shows the first entry that is left as verified, and offers no page before it", async () => {
    await fill(30);
    await prune(partner);
    await fill(2);
    const page = await readChain(partner, {}, undefined);
    expect(page.entries.map(({ seq, intact }) => [seq, intact])).toEqual([
      [33, true],
      [32, true],
      [31, true],
      [30, true],
    ]);
    expect(page.nextCursor).toBeNull();
  });

  it("says at the oldest end, and in a JSON export, that older entries were removed, and when", async () => {
    await fill(30);
    expect(await readChain(partner, {}, undefined)).not.toHaveProperty("removed");
    const before = Date.now();
    await prune(partner);
    await fill(26);
    const first = await readChain(partner, {}, undefined);
    expect(first).not.toHaveProperty("removed");
    const last = await readChain(partner, {}, first.nextCursor ?? "");
    const { removed } = last;
    expect(removed?.seq).toBe(29);
    expect(Date.parse(removed?.upTo ?? "")).toBeLessThanOrEqual(before);
    expect(Date.parse(removed?.at ?? "")).toBeGreaterThanOrEqual(before);
    // A reader of the period after them misses nothing.
    const later = await readChain(partner, { from: Date.now() + 1 }, undefined);
    expect(later).toEqual({ entries: [], nextCursor: null });
    const { body } = await exportChain(
      { chainId: partner, name: "x", about: { partner } },
      {},
      { cursor: undefined, format: "json", reader: inEnglish },
      { requestId: "r", userId: "u" },
    );
    expect(JSON.parse(await new Response(body).text())).toMatchObject({ partner, removed });
    // A collector that has them misses nothing either.
    expect(await readChain(partner, { after: 29 }, first.nextCursor ?? "")).not.toHaveProperty(
      "removed",
    );
  });

  it.runIf(isThorough)(
    "leaves each part done or not where it is killed (kill -9), and the next run goes on",
    async () => {
      await fill(3_000);
      const child = spawn(
        process.execPath,
        [...fromSource("lib/history/testing/prune-program.ts"), partner],
        {
          env: process.env,
          stdio: ["ignore", "inherit", "inherit"],
        },
      );
      const exited = once(child, "exit");
      const removed = async () => {
        const row = await db()
          .selectFrom("history_checkpoints")
          .select("seq")
          .where("partner_id", "=", partner)
          .executeTakeFirst();
        return Number(row?.seq ?? 0);
      };
      await vi.waitFor(async () => expect(await removed()).toBeGreaterThan(0), {
        timeout: 120_000,
        interval: 5,
      });
      child.kill("SIGKILL");
      await exited;
      const done = await removed();
      expect([2_000, 2_999]).toContain(done);
      expect(await verified()).toMatchObject({ fault: null, removal: { removed: done } });
      await prune();
      expect(await verified()).toMatchObject({ fault: null, entries: 2 });
    },
    180_000,
  );
});

describe("a beginning that somebody else removed", () => {
  it("is found without a checkpoint (threat: going past the triggers)", async () => {
    await fill(5);
    await deleteUpTo(3);
    await db().deleteFrom("history_checkpoints").where("partner_id", "=", partner).execute();
    expect((await verified()).fault).toEqual({ seq: 1, reason: "missing" });
    expect(await prune()).toMatchObject({ outcome: "wrong", fault: { reason: "missing" } });
  });

  it("is found where no entry says so, and shown without a day (threat: writing the checkpoint as well)", async () => {
    await fill(5);
    await deleteUpTo(3);
    const fault = { seq: 3, reason: "removal_unrecorded" };
    expect((await verified()).fault).toEqual(fault);
    expect(await prune()).toMatchObject({ fault });
    const removed = { seq: 3, upTo: null, at: null };
    expect(await readChain(partner, {}, undefined)).toMatchObject({ removed });
  });

  it("is found where the entry says less (threat: hiding one entry more behind a genuine removal)", async () => {
    await fill(5);
    await prune();
    await fill(2);
    await deleteUpTo(5, 6);
    expect((await verified()).fault).toEqual({ seq: 5, reason: "removal_unrecorded" });
  });

  it("is found where the entry was made up (threat: an entry without the keys)", async () => {
    await fill(5);
    await deleteUpTo(3, 5);
    const { mac } = await rowOf("history_checkpoints", { partner_id: partner });
    await update(
      "history",
      {
        kind: "entries_removed",
        detail_json: JSON.stringify({ removed: 3, seal: mac, newest: 1 }),
      },
      { partner_id: partner, seq: 5 },
    );
    expect((await verified()).fault).toEqual({ seq: 5, reason: "edited" });
    expect(await readChain(partner, {}, undefined)).toMatchObject({ removed: { upTo: null } });
  });

  it("is found where the checkpoint's seal was changed", async () => {
    await fill(5);
    await prune();
    await update("history_checkpoints", { mac: "0".repeat(64) }, { partner_id: partner });
    expect((await verified()).fault).toEqual({ seq: 5, reason: "edited" });
  });

  it("is found by the anchor file where somebody with the keys wrote another history (threat: the keys are stolen, too)", async () => {
    await fill(5);
    const anchors = [...(await ends(partner))];
    await prune();
    expect((await verifyChain(db(), partner, anchors)).fault).toBeNull();
    const altered = anchors.map((end) => ({ seq: 4, mac: end.mac }));
    expect((await verifyChain(db(), partner, altered)).fault).toEqual({
      seq: 4,
      reason: "not_anchored",
    });
  });
});

it("still reports a sign-in in a new browser where the earlier ones were removed (threat: waiting until they are)", async () => {
  const id = await newPerson(partner, "admin");
  await db().updateTable("users").set({ created_at: 1 }).where("id", "=", id).execute();
  const browser = { browser: "Firefox", system: "Linux" };
  const by = { by: "password", code: null, recoveryCodesLeft: null, ...browser } as const;
  const signIn = (knownBrowser: boolean, who = id) =>
    inTransaction((trx) =>
      recordPerson(trx, {
        kind: "signed_in",
        who: { id: who },
        clientAddress: "192.0.2.7",
        requestId: randomUUID(),
        outcome: null,
        detail: { ...by, knownBrowser },
      }),
    );
  await signIn(true);
  await signIn(true);
  await signIn(true, await newPerson(partner, "viewer"));
  await prune(people);
  vi.mocked(enqueueAlert).mockClear();
  await signIn(false);
  expect(enqueueAlert).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ kind: "new_device", userId: id }),
  );
});
