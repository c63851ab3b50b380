import { db, type Db } from "@/lib/platform/database/open";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { anchorFile, readAnchors } from "./anchor-file";
import { recordHistory } from "@/lib/history/server/record/record";
import {
  aChangeOutside,
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { verifyChain, verifyEveryChain } from "./verify";

let partnerId: string;

beforeAll(async () => {
  await startHistoryWorld();
  await dropTheTriggers();
});
beforeEach(async () => {
  partnerId = await newPartner();
});

const fill = (entries: number): Promise<void> =>
  record(
    ...Array.from({ length: entries }, (_, i) =>
      i % 3 ? aSave(partnerId) : aChangeOutside(partnerId),
    ),
  );

async function verified() {
  const { anchors } = await readAnchors(anchorFile());
  return verifyChain(db(), partnerId, anchors.get(partnerId) ?? []);
}

/** As `verified`, by somebody who has only the database. */
const verifiedWithoutAnchor = async () => (await verifyChain(db(), partnerId, [])).fault;

const history = () => db().updateTable("history").where("partner_id", "=", partnerId);
const remove = () => db().deleteFrom("history").where("partner_id", "=", partnerId);

async function setHead(seq: number): Promise<void> {
  const { mac } = await rowOf("history", { partner_id: partnerId, seq });
  await update("history_heads", { seq, mac }, { partner_id: partnerId });
}

it("verifies an untouched chain, whatever its entries hold", async () => {
  await record(
    aSave(partnerId, { actor: { id: '=HYPERLINK("x") 🪝 "\\\n', clientAddress: null } }),
    aSave(partnerId, { environment: null, requestId: null, outcome: null, types: [] }),
  );
  await fill(3);
  expect(await verified()).toEqual({ partnerId, entries: 5, fault: null, removal: null });
});

it("reads a long chain in batches", async () => {
  await fill(510);
  expect(await verified()).toEqual({ partnerId, entries: 510, fault: null, removal: null });
  await history().where("seq", "=", 501).set({ at: 1 }).execute();
  expect(await verified()).toMatchObject({ fault: { seq: 501, reason: "edited" } });
});

it.each([1, 250])("verifies a chain that grows while its end is read, twice by %i", async (by) => {
  await fill(1);
  let grows = true;
  const executeTakeFirst = async () => {
    if (grows) await fill(by);
    const end = await rowOf("history_heads", { partner_id: partnerId });
    if (grows) await fill(by);
    grows = false;
    return end;
  };
  const end = { select: () => end, where: () => end, executeTakeFirst };
  const selectFrom = (table: "history") =>
    String(table) === "history_heads" ? end : db().selectFrom(table);
  const { entries, fault } = await verifyChain({ selectFrom } as unknown as Db, partnerId, []);
  expect({ entries, fault }).toEqual({ entries: 1 + 2 * by, fault: null });
});

it("sees that the newest entry was replaced after a cut, by the anchor alone (threat: the newest change never happened)", async () => {
  await fill(3);
  const before = (await readAnchors(anchorFile())).anchors.get(partnerId) ?? [];
  await remove().where("seq", ">", 2).execute();
  await setHead(2);
  await record(aSave(partnerId, { requestId: randomUUID() }));
  expect(await verifiedWithoutAnchor()).toBeNull();
  expect((await verifyChain(db(), partnerId, before)).fault).toEqual({
    seq: 3,
    reason: "not_anchored",
  });
  // Of the two ends that the file knows for this entry, the first one counts.
  expect((await verified()).fault).toEqual({ seq: 3, reason: "not_anchored" });
});

it("sees a cut also when the chain has grown past it since (threat: waiting until the anchor has forgotten)", async () => {
  await fill(6);
  await remove().where("seq", ">", 3).execute();
  await setHead(3);
  await fill(9);
  expect(await verifiedWithoutAnchor()).toBeNull();
  expect((await verified()).fault).toEqual({ seq: 6, reason: "not_anchored" });
});

it.each([1, 2])(
  "sees a cut also when another host, with its own anchor file, wrote the next %i entries before this one goes on",
  async (by) => {
    await fill(3);
    await remove().where("seq", ">", 2).execute();
    await setHead(2);
    await fill(by + 1);
    const lines = readFileSync(anchorFile(), "utf8")
      .split("\n")
      .filter((line) => line.includes(partnerId));
    const ofOther = lines.splice(3, by);
    const ends = [...(await endsIn(lines)), ...(await endsIn(ofOther))];
    const { fault } = await verifyChain(db(), partnerId, ends);
    expect(fault).toEqual({ seq: 3, reason: "not_anchored" });
  },
);

async function endsIn(lines: readonly string[]) {
  const file = path.join(newFolder(), "anchors.jsonl");
  writeFileSync(file, lines.join("\n"));
  return (await readAnchors(file)).anchors.get(partnerId) ?? [];
}

it("says that it cannot check, and makes no new key, when the partner's key is gone", async () => {
  await fill(2);
  const keys = () => db().selectFrom("data_keys").selectAll().where("partner_id", "=", partnerId);
  await update(
    "data_keys",
    { wrapped: "v1.test.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
    { partner_id: partnerId },
  );
  expect(await verifiedWithoutAnchor()).toEqual({ seq: 1, reason: "no_key" });
  await db().deleteFrom("data_keys").where("partner_id", "=", partnerId).execute();
  expect(await verifiedWithoutAnchor()).toEqual({ seq: 1, reason: "no_key" });
  expect(await keys().execute()).toEqual([]);
});

it("goes through all partners, also one whose whole history vanished", async () => {
  await fill(2);
  const gone = await newPartner();
  await record(aSave(gone));
  await db().deleteFrom("history").where("partner_id", "=", gone).execute();
  await db().deleteFrom("history_heads").where("partner_id", "=", gone).execute();
  await db().deleteFrom("data_keys").where("partner_id", "=", gone).execute();
  await db().deleteFrom("partners").where("id", "=", gone).execute();
  const headless = await newPartner();
  await record(aSave(headless));
  await db().deleteFrom("history_heads").where("partner_id", "=", headless).execute();
  const { anchors } = await readAnchors(anchorFile());
  const ends = new Map(
    [partnerId, gone].flatMap((id) => {
      const known = anchors.get(id);
      return known ? [[id, known] as const] : [];
    }),
  );
  const reports = [];
  for await (const report of verifyEveryChain(db(), ends)) reports.push(report);
  expect(reports).toContainEqual(expect.objectContaining({ partnerId, entries: 2, fault: null }));
  expect(reports).toContainEqual(
    expect.objectContaining({
      partnerId: gone,
      entries: 0,
      fault: { seq: 1, reason: "cut" },
    }),
  );
  expect(reports).toContainEqual(
    expect.objectContaining({
      partnerId: headless,
      entries: 1,
      fault: { seq: 1, reason: "head_missing" },
    }),
  );
});

it("notes nothing outside the database for a transaction that was rolled back", async () => {
  await fill(1);
  const noted = (await readAnchors(anchorFile())).anchors.get(partnerId);
  const undone = inTransaction(async (trx) => {
    await recordHistory(trx, aSave(partnerId));
    throw new Error("changed my mind");
  });
  await expect(undone).rejects.toThrow("changed my mind");
  expect((await readAnchors(anchorFile())).anchors.get(partnerId)).toEqual(noted);
  expect(await verified()).toEqual({ partnerId, entries: 1, fault: null, removal: null });
});
