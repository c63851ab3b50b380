import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import {
  aChangeOutside,
  aSave,
  dropTheTriggers,
  newPartner,
  record,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import { programFile } from "@/lib/cli/programs.mjs";
import { pruneChain } from "@/lib/history/server/verify/prune";
import { Secret } from "@/lib/platform/runtime/secret";
import { randomBytes } from "node:crypto";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { db } from "@/lib/platform/database/open";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fileSink } from "./sinks";
import { AuditStream, forgetStream, SinkFailed, type Sink } from "./stream";

const signingKey = new Secret(randomBytes(32).toString("base64"));

beforeAll(async () => {
  process.env["HISTORY_SIGNING_KEY"] = signingKey.reveal();
  await startHistoryWorld();
});
afterAll(() => db().destroy());

type Line = { type: string; chain: string; id: string; seq: number } & Record<string, unknown>;

function streaming(name: string, sink?: Sink, chainsPerBatch?: number) {
  const lines: Line[] = [];
  const take: Sink = async (some) => {
    await sink?.(some);
    lines.push(...some.map((line) => JSON.parse(line) as Line));
  };
  const onTrouble = vi.fn();
  return {
    lines,
    onTrouble,
    stream: new AuditStream({
      name,
      sink: take,
      onTrouble,
      ...(chainsPerBatch && { chainsPerBatch }),
    }),
  };
}

/** Until nothing is new. */
async function all(stream: AuditStream): Promise<void> {
  expect(await stream.holds()).toBe(true);
  while ((await stream.step()) > 0);
}

const of = (lines: readonly Line[], chain: string) => lines.filter((line) => line.chain === chain);

it("writes every entry of partners and of people once, each chain in its order, and then what is added", async () => {
  const [first, second] = [await newPartner(), await newPartner()];
  for (let i = 0; i < 3; i += 1) await record(aSave(first), aChangeOutside(second));
  const { stream, lines } = streaming("whole");
  await all(stream);
  for (const partner of [first, second])
    expect(of(lines, partner).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(of(lines, first)[0]).toMatchObject({
    type: "entry",
    partner: { id: first, name: `Partner ${first}` },
    kind: "save",
    environment: "sandbox",
    actor: { id: "marina", name: "Marina Castro" },
    clientAddress: "192.0.2.7",
    requestId: "a1b2c3",
    outcome: "saved",
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    seal: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const before = lines.length;
  await record(aSave(first));
  await db()
    .transaction()
    .execute((trx) =>
      recordPerson(trx, {
        kind: "signed_in",
        who: { id: "marina", name: "Marina Castro" },
        clientAddress: "192.0.2.7",
        requestId: "r",
        outcome: null,
        detail: {
          by: "password",
          code: null,
          recoveryCodesLeft: null,
          knownBrowser: null,
          browser: null,
          system: null,
        },
      }),
    );
  await all(stream);
  expect(lines.slice(before).map(({ chain, kind }) => [chain, kind])).toEqual([
    ["@people", "signed_in"],
    [first, "save"],
  ]);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  await stream.end();
});

it("has no fingerprint and no signature in it by which a value could be guessed (threat: an audit log as an oracle)", async () => {
  const partner = await newPartner();
  await record(aSave(partner));
  const { stream, lines } = streaming("fingerprints");
  await all(stream);
  expect(JSON.stringify(of(lines, partner))).not.toContain("9c41e07d".repeat(2));
  await stream.end();
});

it("writes again what may have been lost, with the same ids, and forgets nothing", async () => {
  const partner = await newPartner();
  await record(aSave(partner), aSave(partner));
  let isFull = true;
  const attempted: string[] = [];
  const { stream, lines } = streaming("again", async (some) => {
    attempted.push(...some);
    if (isFull && some.some((line) => line.includes(partner))) throw new Error("ENOSPC");
  });
  await expect(all(stream)).rejects.toThrow(SinkFailed);
  isFull = false;
  await all(stream);
  const ids = of(lines, partner).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  expect(attempted.filter((line) => line.includes(ids[0] ?? "-"))).toHaveLength(2);
  await stream.end();
});

it("gives every chain its turn, however many others always have something new (threat: busy chains keep the others out of the audit)", async () => {
  const { stream, lines } = streaming("fair", undefined, 2);
  await all(stream);
  const partners = await Promise.all(Array.from({ length: 5 }, newPartner));
  const before = lines.length;
  // Two for each step, and all five have something new again before each.
  for (let step = 0; step < 5; step += 1) {
    for (const partner of partners) await record(aSave(partner));
    await stream.step();
  }
  const turns = lines.slice(before).map(({ chain }) => chain);
  for (const partner of partners) expect(turns).toContain(partner);
  await all(stream);
  for (const partner of partners)
    expect(of(lines, partner).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  await stream.end();
});

it("has one writer for each name; another one takes over, and streams of other names have everything too", async () => {
  const partner = await newPartner();
  await record(aSave(partner));
  const [one, standby, other] = [streaming("one"), streaming("one"), streaming("other")];
  await all(one.stream);
  expect(await standby.stream.holds()).toBe(false);
  await all(other.stream);
  expect([of(one.lines, partner).length, of(other.lines, partner).length]).toEqual([1, 1]);
  await one.stream.end();
  await record(aSave(partner));
  await all(standby.stream);
  expect(of(standby.lines, partner).map(({ seq }) => seq)).toEqual([2]);
  await Promise.all([standby.stream.end(), other.stream.end()]);
});

it("reports missing entries (threat: a history that was cut, and nobody hears of it)", async () => {
  const partner = await newPartner();
  for (let i = 0; i < 5; i += 1) await record(aSave(partner));
  const early = streaming("cut");
  await all(early.stream);
  await dropTheTriggers();
  await db().deleteFrom("history").where("partner_id", "=", partner).where("seq", ">", 3).execute();
  await db()
    .updateTable("history_heads")
    .set({ seq: 3 })
    .where("partner_id", "=", partner)
    .execute();
  await all(early.stream);
  expect(early.lines.at(-1)).toMatchObject({
    type: "gap",
    chain: partner,
    from: 4,
    to: 5,
    reason: "went_back",
  });
  await db().deleteFrom("history").where("partner_id", "=", partner).where("seq", "=", 2).execute();
  const late = streaming("cut-late");
  await all(late.stream);
  expect(of(late.lines, partner)).toMatchObject([
    { type: "entry", seq: 1 },
    { type: "gap", from: 2, to: 2, reason: "missing" },
    { type: "entry", seq: 3 },
  ]);
  await Promise.all([early.stream.end(), late.stream.end()]);
});

const folder = () => mkdtempSync(path.join(tmpdir(), "gancho-test-"));

it("appends to a file that only its owner reads, goes on in a new one after it was moved away, and leaves a torn line alone", async () => {
  const file = path.join(folder(), "audit.jsonl");
  const sink = fileSink(file);
  await sink(["1", "2"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  appendFileSync(file, '{"cut sh');
  await sink(["3"]);
  expect(readFileSync(file, "utf8")).toBe('1\n2\n{"cut sh\n3\n');
  renameSync(file, `${file}.1`);
  await sink(["4"]);
  expect(readFileSync(file, "utf8")).toBe("4\n");
});

it.runIf(isThorough)(
  "loses nothing however often its program is killed (kill -9) while entries are added",
  async () => {
    const partners = [await newPartner(), await newPartner(), await newPartner()];
    const file = path.join(folder(), "audit.jsonl");
    const gancho = await programFile("gancho");
    const start = (...words: string[]) =>
      spawn(
        process.execPath,
        [gancho, "audit-stream", "--to", file, "--name", "killed", ...words],
        {
          env: process.env,
          stdio: ["ignore", "inherit", "inherit"],
        },
      );
    let isAdding = true;
    let added = 0;
    const adding = (async () => {
      while (isAdding) {
        for (const partner of partners) await record(aSave(partner), aChangeOutside(partner));
        added += 2 * partners.length;
        await pause(5);
      }
    })();
    const size = () => (existsSync(file) ? statSync(file).size : 0);
    // As if the lease of a killed program had expired, without waiting for it.
    const free = () =>
      db()
        .updateTable("leases")
        .set({ expires_at: 0 })
        .where("name", "=", "audit-stream:killed")
        .execute();
    for (let kill = 0; kill < 4; kill += 1) {
      const before = size();
      const child = start();
      const exited = once(child, "exit");
      await vi.waitFor(() => expect(size()).toBeGreaterThan(before), {
        timeout: 60_000,
        interval: 5,
      });
      await pause(7 * kill);
      child.kill("SIGKILL");
      await exited;
      await free();
    }
    isAdding = false;
    await adding;
    const last = start("--once");
    const [code] = (await once(last, "exit")) as [number | null];
    expect(code).toBe(0);

    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const whole = lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    });
    const ids = await db().selectFrom("history").select(["id", "seq", "partner_id"]).execute();
    expect(added).toBeGreaterThan(20);
    const written = new Set(whole.map(({ id }) => id));
    expect(ids.filter(({ id }) => !written.has(id))).toEqual([]);
    for (const partner of partners) {
      // The first time that each comes.
      const seen = [...new Map(of(whole, partner).map(({ seq }) => [seq, seq])).values()];
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen).toEqual(seen.map((_, at) => at + 1));
    }
    expect(lines.length - whole.length).toBeLessThanOrEqual(4);
  },
  240_000,
);

it("protects entries from removal until every stream has written them, tells a new stream what was removed, and can be forgotten", async () => {
  const partner = await newPartner();
  const fill = (count: number) => record(...Array.from({ length: count }, () => aSave(partner)));
  const prune = () =>
    pruneChain(db(), partner, { before: Date.now() + 60_000, signingKey, anchors: [] });
  await db().deleteFrom("audit_cursors").execute();
  await fill(4);
  const { stream, lines } = streaming("siem");
  await all(stream);
  await fill(3);
  expect(await prune()).toMatchObject({ outcome: "removed", entries: 4 });
  expect(await prune()).toEqual({ outcome: "not_streamed", stream: "siem" });
  expect(await forgetStream(db(), "siem")).toBe(true);
  expect(await prune()).toMatchObject({ outcome: "removed", entries: 2 });
  lines.length = 0;
  await all(stream);
  await stream.end();
  expect(of(lines, partner)).toMatchObject([
    { type: "gap", from: 1, to: 6, reason: "removed" },
    { type: "entry", seq: 7 },
  ]);
});
