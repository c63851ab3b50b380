import { db } from "@/lib/platform/database/open";
import { update } from "@/lib/platform/database/testing/rows";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { Reader } from "@/lib/platform/i18n/reader";
import { exportHistory, inEnglish } from "@/lib/history/testing/with-access";
import { findEntries } from "@/lib/history/server/read/find";
import {
  aChangeOutside,
  anAttempt,
  aSave,
  dropTheTriggers,
  longHistory,
  marina,
  newPartner,
  newPerson,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import type { HistoryQuery } from "@/lib/history/model/query";

vi.mock("@/lib/history/server/read/find", { spy: true });
let partnerId: string;

beforeAll(startHistoryWorld);
beforeEach(async () => {
  vi.mocked(findEntries).mockClear();
  partnerId = await newPartner();
  signInAs(await newPerson(partnerId, "viewer"));
});

const brazilian: Reader = { locale: "pt-BR", timeZone: "America/Sao_Paulo" };

const download = (query: HistoryQuery & { format: "csv" | "json" }, reader = inEnglish) =>
  exportHistory(partnerId, query, "test", reader);

async function text(
  query: HistoryQuery & { format: "csv" | "json" },
  reader?: Reader,
): Promise<string> {
  const { body } = await download(query, reader);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await new Response(body).bytes());
}

const lines = async (query: HistoryQuery = {}, reader?: Reader): Promise<string[]> =>
  (await text({ ...query, format: "csv" }, reader)).split("\r\n");

const jsonExport = z.object({
  partner: z.string(),
  exportedAt: z.iso.datetime(),
  entries: z.array(z.object({ seq: z.number(), kind: z.string(), detail: z.unknown() })),
});

it("answers, as CSV, who changed the address, when, from where, and whether it took effect", async () => {
  await record(aSave(partnerId), aChangeOutside(partnerId), anAttempt(partnerId, "r"));
  const [head, ...rows] = await lines({ show: "every" });
  expect(head).toBe(
    "\ufeffentry,time,environment,event,type,outcome,who,proposed_by,from_address,url_before,url_after,authorization_before,authorization_after,reason,request_id,details,who_id,id,proposed_by_id,time_zone",
  );
  const withoutTimeAndId = rows.map((row) =>
    row.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, "TIME").replace(/,[^,]*,,UTC$/, ""),
  );
  const show = await shownFingerprints(db(), partnerId);
  const set = `set ${show("sandbox", "9c41e07d".repeat(8))}`;
  expect(withoutTimeAndId).toEqual([
    `3,TIME,sandbox,save_attempt,pix_in,attempted,Marina Castro,,192.0.2.7,,https://hooks.example.com/new,,${set},,r,,marina`,
    `2,TIME,sandbox,changed_outside,pix_out,seen,,,,https://hooks.example.com/out,https://hooks.example.com/out,${set},not set,,,,`,
    `1,TIME,sandbox,save_shown,pix_in,saved,Marina Castro,,192.0.2.7,https://hooks.example.com/old,https://hooks.example.com/new,${set},${set},,a1b2c3,,marina`,
    "",
  ]);
});

it("never calls a value unset, as CSV, that the service does not show or shows twice", async () => {
  const callbackUrl = "https://hooks.example.com/out";
  await record({
    ...aChangeOutside(partnerId),
    detail: {
      changes: [
        {
          type: "pix_out",
          outcome: "seen",
          before: { callbackUrl, fingerprint: null, hidden: "masked" },
          after: { callbackUrl, fingerprint: null, conflict: true },
        },
      ],
      lastLookedAt: 1,
    },
  } as Parameters<typeof record>[0]);
  const [, row] = await lines();
  expect(row).toContain(",not shown by the service,two different values,");
});

it("makes text that people wrote harmless in CSV, and leaves it exact in JSON (threat: CSV formulas)", async () => {
  const name = '=HYPERLINK("https://evil.example";"x")<script>alert(1)</script>';
  const id = await newPerson(partnerId, "editor");
  await db().updateTable("users").set({ name }).where("id", "=", id).execute();
  await record(aSave(partnerId, { actor: { ...marina, id } }));
  expect((await lines())[1]).toContain(
    `"'=HYPERLINK(""https://evil.example"";""x"")<script>alert(1)</script>"`,
  );
  expect(await text({ format: "json" })).toContain(JSON.stringify(name));
});

it("returns what the page shows for the same query", async () => {
  await record(aSave(partnerId), aChangeOutside(partnerId), anAttempt(partnerId, "r"));
  const seqs = async (query: HistoryQuery) =>
    jsonExport
      .parse(JSON.parse(await text({ ...query, format: "json" })))
      .entries.map((entry) => entry.seq);
  expect(await seqs({})).toEqual([2, 1]);
  expect(await seqs({ type: "pix_out" })).toEqual([2]);
  expect(await seqs({ actor: "nobody" })).toEqual([]);
});

it("names the file, and describes it", async () => {
  const { contentType, fileName, body } = await download({ format: "csv" });
  await body.cancel();
  expect(contentType).toBe("text/csv; charset=utf-8");
  const to = /-to-\d{4}-\d\d-\d\d\.csv$/;
  expect(fileName).toMatch(to);
  expect(fileName.replace(to, "")).toBe(`history-${partnerId}-all-environments`);
});

it("names the file by partner, environment and the reader's days", async () => {
  const query = {
    environment: "production",
    from: "2026-10-01T03:00:00Z",
    to: "2026-11-01T03:00:00Z",
    format: "csv",
  } as const;
  const { fileName, body } = await download(query, brazilian);
  await body.cancel();
  expect(fileName).toBe(`history-${partnerId}-production-from-2026-10-01-to-2026-10-31.csv`);
});

it("is a table with local dates in the spreadsheet programs of a reader of Portuguese", async () => {
  await record(aSave(partnerId));
  await dropTheTriggers();
  await update(
    "history",
    { at: Date.parse("2026-03-04T01:02:03.999Z") },
    { partner_id: partnerId },
  );
  const [head = "", row = ""] = await lines({}, brazilian);
  expect(head.startsWith("\ufeffentry;time;environment;")).toBe(true);
  expect(row.startsWith("1;03/03/2026 22:02:03;sandbox;save_shown;pix_in;")).toBe(true);
  expect(row.endsWith(";America/Sao_Paulo")).toBe(true);
  expect(row.split(";")).toHaveLength(head.split(";").length);
});

it("says who proposed what somebody else approved, or asked for what they decided", async () => {
  const id = await newPerson(partnerId, "editor");
  const proposal = { id: "a1b2", author: { id, name: "" } };
  const save = aSave(partnerId);
  if (save.kind !== "save_shown") throw new Error("not a save");
  const about = { partnerId, environment: null, types: [], requestId: null, outcome: "off" };
  await record(
    { ...save, detail: { ...save.detail, proposal } },
    { ...about, kind: "four_eyes_changed", actor: marina, detail: { asker: "", askerId: id } },
    aSave(partnerId),
  );
  const [head, ...rows] = await lines();
  expect(head).toContain(",outcome,who,proposed_by,");
  expect(
    rows.slice(0, 3).map((row) => [...row.split(",").slice(6, 8), row.split(",").at(-2)]),
  ).toEqual([
    ["Marina Castro", "", ""],
    ["Marina Castro", "The editor", id],
    ["Marina Castro", "The editor", id],
  ]);
});

describe("a long history", () => {
  it("of ten thousand entries comes in parts of a bounded size, each entry once and in order", async () => {
    await longHistory(partnerId, 10_000);
    const reader = (await download({ format: "json" })).body.getReader();
    const seen: number[] = [];
    let largest = 0;
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      largest = Math.max(largest, value.byteLength);
      const parts = (rest + new TextDecoder().decode(value)).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        const seq = /^\{"seq":(\d+),/.exec(line)?.[1];
        if (seq) seen.push(Number(seq));
      }
    }
    expect(seen.length).toBe(10_000);
    expect(seen.findIndex((seq, index) => seq !== 10_000 - index)).toBe(-1);
    expect(largest).toBeLessThan(500 * 1_000);
  });

  it("is not read faster than it is sent: a reader who goes away stops the queries", async () => {
    await longHistory(partnerId, 5_000);
    const { body } = await download({ format: "csv" });
    const reader = body.getReader();
    for (let part = 0; part < 4; part += 1) await reader.read();
    const asked = vi.mocked(findEntries).mock.calls.length;
    expect(asked).toBeLessThanOrEqual(4);
    await reader.cancel();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect(vi.mocked(findEntries).mock.calls.length).toBe(asked);
  });

  it("breaks off when the database fails on the way, instead of looking complete", async () => {
    await longHistory(partnerId, 5_000);
    const { body } = await download({ format: "csv" });
    const reader = body.getReader();
    await reader.read();
    await reader.read();
    vi.mocked(findEntries).mockRejectedValueOnce(new Error("connection lost"));
    await expect(reader.read()).rejects.toThrow("connection lost");
  });
});

it("fails before anything is answered when the database fails at once", async () => {
  vi.mocked(findEntries).mockRejectedValueOnce(new Error("connection lost"));
  await expect(download({ format: "csv" })).rejects.toThrow("connection lost");
});
