import { db } from "@/lib/platform/database/open";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { PostgresAdapter, sql } from "kysely";
import { thrownProblem as problem } from "@/lib/platform/http/testing/thrown-problem";
import { namesTaken } from "@/lib/platform/auth/names-taken";
import { insert, update } from "@/lib/platform/database/testing/rows";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { historyActors, readHistory } from "@/lib/history/testing/with-access";
import { randomUUID } from "node:crypto";
import { mostOffered } from "./actors";
import { positionsIn } from "./find";
import type { NewHistoryEntry } from "@/lib/history/server/record/record";
import {
  aChangeOutside,
  anAttempt,
  aSent,
  aSave,
  dropTheTriggers,
  longHistory,
  newPartner,
  newPerson,
  openSaves,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import type { HistoryQuery } from "@/lib/history/model/query";

let partnerId: string;

beforeAll(async () => {
  await startHistoryWorld();
  await dropTheTriggers();
});
beforeEach(async () => {
  partnerId = await newPartner();
  signInAs(await newPerson(partnerId, "viewer"));
});

const positions = async (query: HistoryQuery = {}): Promise<number[]> =>
  (await readHistory(partnerId, query)).entries.map((entry) => entry.seq);

/** Follows `nextCursor` to the end. */
async function allPages(query: HistoryQuery = {}): Promise<number[][]> {
  const pages: number[][] = [];
  let cursor: string | null | undefined = query.cursor;
  do {
    const page = await readHistory(partnerId, { ...query, ...(cursor ? { cursor } : {}) });
    pages.push(page.entries.map((entry) => entry.seq));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

const many = (n: number, entry: (i: number) => NewHistoryEntry) =>
  Array.from({ length: n }, (_, i) => entry(i));

describe("a page of history", () => {
  it("says who asked for the address, when, from where, and that it is shown", async () => {
    await record(aSave(partnerId));
    const { entries, nextCursor } = await readHistory(partnerId, {});
    const show = await shownFingerprints(db(), partnerId);
    const fingerprint = show("sandbox", "9c41e07d".repeat(8));
    expect(nextCursor).toBeNull();
    expect(entries).toEqual([
      {
        seq: 1,
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        environment: "sandbox",
        kind: "save_shown",
        types: ["pix_in"],
        actor: { id: "marina", name: "Marina Castro" },
        clientAddress: "192.0.2.7",
        requestId: "a1b2c3",
        outcome: "saved",
        detail: {
          saveId: "s",
          changes: [
            {
              type: "pix_in",
              outcome: "saved",
              before: { callbackUrl: "https://hooks.example.com/old", fingerprint },
              after: { callbackUrl: "https://hooks.example.com/new", fingerprint },
            },
          ],
        },
        intact: true,
      },
    ]);
  });

  it("comes newest first, each entry once, also while entries are added", async () => {
    await record(...many(60, () => aSave(partnerId)));
    const first = await readHistory(partnerId, {});
    await record(aSave(partnerId));
    expect(first.entries.map((entry) => entry.seq)).toEqual(downFrom(60, 25));
    const rest = await allPages({ cursor: first.nextCursor ?? "" });
    expect(rest).toEqual([downFrom(35, 25), downFrom(10, 10)]);
  });

  it("has no next page when the last one is exactly full", async () => {
    await record(...many(50, () => aSave(partnerId)));
    expect((await allPages()).map((page) => page.length)).toEqual([25, 25]);
  });

  it("shows what is known of an entry of an unknown kind or shape, and never fails", async () => {
    await record(...many(6, () => aSave(partnerId)));
    const change = (seq: number, set: Parameters<typeof update<"history">>[1]) =>
      update("history", set, { partner_id: partnerId, seq });
    await change(1, { kind: "toString" });
    await change(2, { detail_json: "not JSON" });
    await change(3, { detail_json: '{"changes":"none"}' });
    await change(4, { at: "99999999999999999" as never, types: "pix_in,,__proto__" });
    await change(5, { detail_json: '{"changes":[],"proposal":{"author":null}}' });
    const { entries } = await readHistory(partnerId, {});
    expect(entries.map(({ seq, detail, intact }) => [seq, detail === null, intact])).toEqual([
      [6, false, true],
      [5, true, false],
      [4, false, false],
      [3, true, false],
      [2, true, false],
      [1, true, false],
    ]);
  });

  it("marks an entry that differs from its record, and one whose neighbour is gone", async () => {
    await record(...many(6, () => aSave(partnerId)));
    await update("history", { actor_id: "somebody-else" }, { partner_id: partnerId, seq: 5 });
    await db()
      .deleteFrom("history")
      .where("partner_id", "=", partnerId)
      .where("seq", "=", 2)
      .execute();
    const { entries } = await readHistory(partnerId, {});
    expect(entries.filter((entry) => !entry.intact).map((entry) => entry.seq)).toEqual([5, 3]);
  });
});

const downFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => from - i);

describe("filters", () => {
  beforeEach(async () => {
    const rafael = { id: "rafael", name: "Rafael Sousa", clientAddress: null };
    const unsent = () => aSent(partnerId, { outcome: "not_sent", actor: rafael });
    await record(
      aSave(partnerId),
      aSave(partnerId, { environment: "production", types: ["pix_in", "pix_out"] }),
      unsent(),
      aChangeOutside(partnerId),
      {
        partnerId,
        environment: null,
        kind: "member_removed",
        types: [],
        actor: rafael,
        requestId: "r",
        outcome: null,
        detail: { userId: "u", name: "N", email: "e@x.example", role: "viewer" },
      },
    );
  });

  it.each<[string, HistoryQuery, number[]]>([
    ["nothing", {}, [5, 4, 3, 2, 1]],
    ["an environment, with what is about the whole partner", { environment: "production" }, [5, 2]],
    ["a type, alone or with the other one", { type: "pix_out" }, [4, 2]],
    ["a person", { actor: "rafael" }, [5, 3]],
    ["nobody known", { actor: "outside" }, [4]],
    ["a person who never acted", { actor: "nobody" }, []],
    ["what the service showed", { show: "changes" }, [4, 2, 1]],
    ["what was not sent, refused or not shown", { show: "failures" }, [3]],
    ["what no save here asked for", { show: "outside" }, [4]],
    ["the team", { show: "team" }, [5]],
    [
      "several at once",
      { type: "pix_in", actor: "marina", show: "changes", environment: "sandbox" },
      [1],
    ],
  ])("%s", async (_, query, expected) => {
    expect(await positions(query)).toEqual(expected);
  });

  it("what was not sent, refused, not answered or not shown, and what was, whatever else was said", async () => {
    const sent = ["refused", "unclear", "accepted", "unchanged"] as const;
    await record(...sent.map((outcome) => aSent(partnerId, { outcome })));
    await record(aSave(partnerId, { outcome: "partly" }));
    expect(await positions({ show: "failures" })).toEqual([7, 6, 3]);
    expect(await positions({ show: "changes" })).toEqual([10, 4, 2, 1]);
  });

  it("a period: from a time on, and before another; a day counts whole", async () => {
    const moments = [
      "2026-11-16T10:00:00Z",
      "2026-11-17T00:00:00Z",
      "2026-11-17T23:59:59.999Z",
      "2026-11-18T00:00:00Z",
      "2026-11-19T12:00:00Z",
    ];
    for (const [index, at] of moments.entries())
      await update("history", { at: Date.parse(at) }, { partner_id: partnerId, seq: index + 1 });
    expect(await positions({ from: "2026-11-17" })).toEqual([5, 4, 3, 2]);
    expect(await positions({ to: "2026-11-17" })).toEqual([3, 2, 1]);
    expect(await positions({ from: "2026-11-17", to: "2026-11-17" })).toEqual([3, 2]);
    expect(
      await positions({ from: "2026-11-17T21:00:00-03:00", to: "2026-11-19T12:00:00Z" }),
    ).toEqual([4]);
  });
});

it("leaves attempts out once their outcome is an entry, and shows them until then", async () => {
  await record(
    anAttempt(partnerId, "ended"),
    aSave(partnerId, { requestId: "ended" }),
    anAttempt(partnerId, "open"),
  );
  expect(await positions()).toEqual([2]);
  const ended = { request_id: "ended", state: "answered" } as const;
  await openSaves(partnerId, { request_id: "open" }, ended);
  expect(await positions()).toEqual([3, 2]);
  expect(await positions({ show: "every" })).toEqual([3, 2, 1]);
});

describe("a cursor", () => {
  let cursor: string;
  beforeEach(async () => {
    await record(...many(30, () => aSave(partnerId)));
    cursor = (await readHistory(partnerId, {})).nextCursor ?? "";
  });

  it("of another partner is refused, and shows nothing of theirs", async () => {
    const other = await newPartner();
    await record(...many(30, () => aSave(other)));
    signInAs(await newPerson(other, "admin"));
    const theirs = (await readHistory(other, {})).nextCursor ?? "";
    expect(theirs).not.toBe(cursor);
    signInAs(await newPerson(partnerId, "admin"));
    const { code, init } = await problem(readHistory(partnerId, { cursor: theirs }));
    expect([code, init.errors?.[0]?.path]).toEqual(["invalid_fields", "cursor"]);
  });

  it.each([
    ["another place", () => cursor.replace(/^./, "z")],
    ["a guess", () => "b-0123456789abcdef"],
    ["SQL", () => "1' or '1'='1"],
  ])("that Gancho did not issue is refused: %s", async (_, text) => {
    expect((await problem(readHistory(partnerId, { cursor: text() }))).code).toBe("invalid_fields");
  });
});

it("never mixes two partners, whatever the query", async () => {
  const other = await newPartner();
  await record(aSave(other), aChangeOutside(other));
  await record(aSave(partnerId));
  for (const query of [{}, { show: "every" }, { actor: "marina" }, { actor: "outside" }] as const)
    for (const entry of (await readHistory(partnerId, query)).entries) expect(entry.seq).toBe(1);
  expect(await historyActors(partnerId)).toEqual({
    people: [{ id: "marina", name: "Marina Castro" }],
    more: false,
  });
});

it("lists everybody in the history once, sorted by their current name", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push(await newPerson(partnerId, "editor"));
  await record(
    aSave(partnerId),
    aChangeOutside(partnerId),
    ...many(20, (i) => aSave(partnerId, { actor: { id: ids[i % 3] ?? "", clientAddress: null } })),
  );
  for (const [i, id] of ids.entries()) await update("users", { name: `Ana ${i}` }, { id });
  expect((await historyActors(partnerId)).people.map((actor) => actor.name)).toEqual([
    "Ana 0",
    "Ana 1",
    "Ana 2",
    "Marina Castro",
  ]);
});

it.each([mostOffered + 1, 1_100])(
  "of %i people offers those who acted last, says so, and lets nobody take a name of the others (threat: a misleading name)",
  async (length) => {
    const ids = Array.from({ length }, () => randomUUID());
    await insert(
      "users",
      ...ids.map((id) => ({
        id,
        name: `Person ${id}`,
        email: `${id}@people.example`,
        created_at: 1,
      })),
    );
    await record(...ids.map((id) => aSave(partnerId, { actor: { id, clientAddress: null } })));
    const { people, more } = await historyActors(partnerId);
    expect(more).toBe(true);
    expect(people.map(({ id }) => id).sort()).toEqual(ids.slice(-mostOffered).sort());
    const taken = await namesTaken(db(), [partnerId]);
    for (const id of ids) expect(taken).toContain(`Person ${id}`);
  },
);

describe("cost", () => {
  it("is bounded where nothing matches: the search stops and says where to go on", async () => {
    await longHistory(partnerId, 101_000);
    const page = await readHistory(partnerId, { type: "pix_out" });
    expect(page.entries).toEqual([]);
    expect(page.nextCursor).not.toBeNull();
    const next = await readHistory(partnerId, { type: "pix_out", cursor: page.nextCursor ?? "" });
    expect(next).toEqual({ entries: [], nextCursor: null });
  });

  it("does not grow with a gap where entries were deleted (threat: hiding all behind one entry far away)", async () => {
    await record(...many(3, () => aSave(partnerId)));
    await update("history", { seq: 9_000_000_000 }, { partner_id: partnerId, seq: 3 });
    expect(await positions()).toEqual([9_000_000_000, 2, 1]);
  });

  it("does not grow with depth or length: both engines stay between two places of an index", async () => {
    await longHistory(partnerId, 40_000);
    const wanted = {
      environment: "production",
      type: "pix_out",
      kinds: ["save_shown", "x"],
      from: 5,
    } as const;
    for (const criteria of [{}, wanted]) {
      const query = positionsIn(partnerId, criteria, { start: 2_000, end: 7_000 }, 51);
      if (db().getExecutor().adapter instanceof PostgresAdapter) {
        await sql`analyze history`.execute(db());
        const plan = JSON.stringify(await query.explain());
        expect(plan).toMatch(/Scan[^"]* (using|on) history_(filters|pk)/);
        for (const [, condition] of plan.matchAll(/Index Cond: (.*?)"\}/g))
          expect(condition).toMatch(/\(seq >= .*\(seq < /);
        expect(plan).not.toContain("Seq Scan");
      } else {
        const plan = JSON.stringify(await query.explain(undefined, sql`query plan`));
        expect(plan).toMatch(
          /SEARCH history USING COVERING INDEX \w+ \(partner_id=\? AND seq>\? AND seq<\?\)/,
        );
        expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
      }
    }
  });
});
