import { db } from "@/lib/platform/database/open";
import { log } from "@/lib/platform/log/log";
import { renderMetrics } from "@/lib/platform/metrics/metrics";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import { GET } from "@/app/api/health/ready/route";
import {
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { anchorFile } from "./anchor-file";
import { behindAnchor, compareWithAnchor } from "./behind-anchor";

let partner: string;

beforeAll(async () => {
  await startHistoryWorld();
  await dropTheTriggers();
});
beforeEach(async () => {
  partner = await newPartner();
  await record(aSave(partner), aSave(partner), aSave(partner));
});

/** As the database was when the partner had only so many entries. */
async function goBackTo(seq: number): Promise<void> {
  await db()
    .deleteFrom("history")
    .where("partner_id", "=", partner)
    .where("seq", ">", seq)
    .execute();
  const { mac } = await rowOf("history", { partner_id: partner, seq });
  await update("history_heads", { seq, mac }, { partner_id: partner });
}

const behind = async () =>
  (await behindAnchor(db(), anchorFile())).filter(({ chain }) => chain === partner);

it("finds nothing while the database has what the file names, and nothing without a file", async () => {
  expect(await behind()).toEqual([]);
  expect(await behindAnchor(db(), "/nowhere")).toEqual([]);
});

it("names each history that has gone back, also where it has grown again to the same length", async () => {
  await goBackTo(1);
  expect(await behind()).toEqual([{ chain: partner, seq: 3 }]);
  await record(aSave(partner), aSave(partner));
  expect(await behind()).toEqual([{ chain: partner, seq: 3 }]);
});

it("takes entries that prune-history removed for there: a host may have written none since", async () => {
  const { mac } = await rowOf("history", { partner_id: partner, seq: 3 });
  await db()
    .insertInto("history_checkpoints")
    .values({ partner_id: partner, seq: 3, mac, entry_seq: 4 })
    .execute();
  await db().deleteFrom("history").where("partner_id", "=", partner).execute();
  expect(await behind()).toEqual([]);
});

async function ready() {
  const request = new Request("http://localhost/api/health/ready");
  const answer = await GET(request, { params: Promise.resolve({}) });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

it("says at the start, in the log, the metrics, readiness and check-config, that the database went back, and what to do (threat: access that was taken away since the backup)", async () => {
  const lines = readFileSync(anchorFile(), "utf8").split("\n");
  const own = lines.filter((line) => line.includes(partner)).join("\n");
  const dataDir = newFolder();
  writeFileSync(path.join(dataDir, "history-anchor.jsonl"), own);
  await goBackTo(2);
  const { out } = await runGancho(["check-config"], {
    GANCHO_DATA_DIR: dataDir,
    GANCHO_URL: "http://localhost:3000",
    PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:9",
  });
  expect(out).toMatch(
    new RegExp(
      `^FAIL +database +lacks entries of 1 history that .*, such as entry 3 of ${partner}: .* gancho after-restore --yes`,
      "m",
    ),
  );

  writeFileSync(anchorFile(), own);
  const logged = vi.spyOn(log, "error");
  expect(await ready()).toEqual({ status: 200, body: { status: "ok" } });
  await compareWithAnchor();
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    { histories: 1 },
    expect.stringMatching(`entry 3 of ${partner}: .* gancho after-restore --yes`),
  );
  expect((await renderMetrics()).text).toContain("gancho_history_behind_anchor 1\n");
  expect(await ready()).toEqual({
    status: 200,
    body: { status: "ok", note: "older_than_anchor_file" },
  });
});
