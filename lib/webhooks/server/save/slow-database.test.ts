import type { DatabaseConnection, Dialect } from "kysely";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "@/lib/platform/database/open";
import { countChange, keepingCount } from "@/lib/platform/limits/limits";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type * as trackedModule from "@/lib/platform/database/tracked";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  ask,
  history,
  inWorld,
  partner,
  plan,
  read,
  save,
  upstream,
} from "@/lib/webhooks/testing/in-world";

const slow = vi.hoisted(() => ({
  statementMs: 0,
  /** Runs before each statement, which waits for it. */
  before: (_sql: string): Promise<unknown> | undefined => undefined,
}));

vi.mock("@/lib/platform/database/tracked", async (original) => {
  const real = await original<typeof trackedModule>();
  const known = new WeakSet<DatabaseConnection>();
  function slowed(connection: DatabaseConnection): DatabaseConnection {
    if (known.has(connection)) return connection;
    known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async (query) => {
      if (slow.statementMs > 0) await pause(slow.statementMs);
      await slow.before(query.sql);
      return execute(query);
    };
    return connection;
  }
  function tracked(dialect: Dialect): Dialect {
    const made = real.tracked(dialect);
    const driver = made.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => slowed(await acquire());
    return { ...made, createDriver: () => driver };
  }
  return { ...real, tracked };
});

/** A third of the real limits and of the database's delay. */
const { answerMs, saveMs, readBackMs, minWriteMs } = saveTimings;
Object.assign(saveTimings, {
  answerMs: answerMs / 3,
  saveMs: saveMs / 3,
  readBackMs: readBackMs / 3,
  minWriteMs: minWriteMs / 3,
});

inWorld();
beforeEach(async () => {
  slow.statementMs = 0;
  slow.before = () => undefined;
  await read();
});

/** Waits until the save that was answered early has ended. */
async function untilItEnds(): Promise<void> {
  slow.statementMs = 0;
  const lease = await lockConnection(partner.connectionId, 60_000);
  await lease?.release();
}

it.each([70, 270])(
  "a save is answered in time where each statement of the database takes %i ms longer, and as not sent where nothing was",
  async (statementMs) => {
    slow.statementMs = statementMs;
    const operation = randomUUID();
    const began = performance.now();
    const end = await save({ type: "both", revision: null, operation });
    const ms = performance.now() - began;
    const sent = upstream.counts().register > 0;
    // With time to spare for a busy machine.
    expect(ms).toBeLessThan(saveTimings.answerMs + 1_500);
    const isSaidUnsent = "applied" in end && end.applied === "no";
    expect(isSaidUnsent && sent).toBe(false);
    await untilItEnds();
    expect(upstream.counts().register).toBe(sent ? 1 : 0);
    const asked = (await ask(operation)).outcome;
    expect(sent ? ["saved"] : isSaidUnsent ? ["none", "not_sent"] : ["not_sent"]).toContain(asked);
  },
);

it("what recorded nothing is answered before it counts no more against others (threat: an answer that comes too late)", async () => {
  const by = { person: "somebody", group: partner.id };
  const attempts = async () =>
    (await db().selectFrom("rate_limits").select("attempts").execute()).map((row) => row.attempts);
  await countChange(by);
  const counted = await attempts();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  slow.before = (sql) => (sql.startsWith('update "rate_limits"') ? held : undefined);
  // It would wait for ever.
  await keepingCount(by, () => Promise.resolve("not_saved"));
  release();
  await expect.poll(attempts).not.toEqual(counted);
});

describe("a save whose time is over once its intent is stored, with nothing sent", () => {
  const notSent = { outcome: "not_sent", applied: "no" };
  const unreadable = { kind: "list", action: { answer: { status: 503 } } } as const;

  /** Holds the statement that stores the intent until then, milliseconds after the save began. */
  async function saveLate(storedAtMs: number, operation: string) {
    const { revision } = await read();
    const began = performance.now();
    slow.before = (sql) => {
      if (!sql.startsWith('insert into "changes"')) return undefined;
      slow.before = () => undefined;
      return pause(storedAtMs - (performance.now() - began));
    };
    return save({ type: "both", revision, operation });
  }

  it.each([
    ["before its answer", saveTimings.saveMs - saveTimings.minWriteMs / 2],
    ["after its answer", saveTimings.answerMs + 50],
  ])(
    "%s, is not saved: so say its answer, whoever asks, its repetition and the history, though the service cannot be read",
    async (_when, storedAtMs) => {
      const [author, operation] = [await partner.person("admin"), randomUUID()];
      signInAs(author);
      expect(await saveLate(storedAtMs, operation)).toMatchObject(notSent);
      await untilItEnds();
      plan(unreadable);
      signInAs(await partner.person("viewer"));
      const asked = await ask(operation);
      expect(asked).toMatchObject({ outcome: "not_sent" });
      signInAs(author);
      const again = await save({ type: "both", revision: null, operation });
      expect(again).toMatchObject(notSent);
      plan();
      expect((await read()).openSaves).toEqual([]);
      expect((await history("save_sent")).map(({ outcome }) => outcome)).toEqual(["not_sent"]);
      expect(upstream.counts().register).toBe(0);
    },
  );
});
