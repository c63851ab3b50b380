import type { DatabaseConnection, Dialect } from "kysely";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, expect, it, vi } from "vitest";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type * as afterCommitModule from "@/lib/platform/database/after-commit";
import { lockConnection } from "./connection-lock";
import { ask, inWorld, partner, read, save, upstream } from "@/lib/webhooks/testing/in-world";

const slow = vi.hoisted(() => ({ statementMs: 0 }));

vi.mock("@/lib/platform/database/after-commit", async (original) => {
  const real = await original<typeof afterCommitModule>();
  const known = new WeakSet<DatabaseConnection>();
  function slowed(connection: DatabaseConnection): DatabaseConnection {
    if (known.has(connection)) return connection;
    known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async (query) => {
      if (slow.statementMs > 0) await pause(slow.statementMs);
      return execute(query);
    };
    return connection;
  }
  function withAfterCommit(dialect: Dialect): Dialect {
    const made = real.withAfterCommit(dialect);
    const driver = made.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => slowed(await acquire());
    return { ...made, createDriver: () => driver };
  }
  return { ...real, withAfterCommit };
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
  await read();
});

/** Waits until the save that was answered early has ended. */
async function untilItEnds(): Promise<void> {
  slow.statementMs = 0;
  const lease = await lockConnection(partner.connectionId, 60_000);
  await lease?.release();
}

it.each([70, 270])(
  "a save is answered in time where each statement of the database takes %i ms longer, and as not saved where nothing was sent",
  async (statementMs) => {
    slow.statementMs = statementMs;
    const operation = randomUUID();
    const began = performance.now();
    const end = await save({ type: "both", revision: null, operation });
    const ms = performance.now() - began;
    const sent = upstream.counts().register > 0;
    // With time to spare for a busy machine.
    expect(ms).toBeLessThan(saveTimings.answerMs + 1_500);
    expect("applied" in end && end.applied === "no").toBe(!sent);
    await untilItEnds();
    expect(upstream.counts().register).toBe(sent ? 1 : 0);
    expect(["none", "not_saved", "saved"]).toContain((await ask(operation)).outcome);
  },
);
