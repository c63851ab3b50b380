import { processWide } from "@/lib/platform/runtime/process-wide";
import { forgetProcessWide, setEnvironment } from "@/lib/platform/runtime/testing/new-process";
import type { Db } from "@/lib/platform/database/open";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { afterAll, inject, vi } from "vitest";

/**
 * One process runs many test files (`isolate: false`), because starting Node and loading the packages anew for each of
 * them takes a quarter of the time. This gives every file what a new process would: the environment variables that the
 * process started with, modules and process-wide values of its own, no mocks but of the session, and an empty data
 * folder.
 */
const worker = globalThis as typeof globalThis & {
  variablesAtStart?: NodeJS.ProcessEnv;
  /** Holds what `vi.mock` registered. Vitest empties it only between isolated files. */
  __vitest_mocker__?: { reset: () => void };
};

worker.variablesAtStart ??= { ...process.env };
setEnvironment(worker.variablesAtStart);
forgetProcessWide();
vi.useRealTimers();
worker.__vitest_mocker__?.reset();
vi.resetModules();

// Who is signed in: see lib/webhooks/testing/signed-in.ts. Tests of the real one take it out with `vi.unmock`.
vi.doMock("@/lib/platform/auth/sessions/read-session", async () => {
  const { sessionInTest, signedInInTest } = await import("@/lib/webhooks/testing/signed-in");
  return { readSession: sessionInTest, readSignedIn: signedInInTest };
});

process.env["GANCHO_DATA_DIR"] = mkdtempSync(path.join(inject("folder"), "data-"));

// What the file opened with `db()` and `probeDb()`. Vitest runs these hooks in reverse order, so after all hooks of the file.
for (const name of ["db", "probe-db"])
  afterAll(() => processWide<Db | null>(name, () => null)?.destroy());

// Programs under test listen for these, and would keep Vitest from ending the process.
const signals = ["SIGINT", "SIGTERM"] as const;
const listeners = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
afterAll(() => {
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!listeners.get(signal)?.includes(listener)) process.off(signal, listener);
});
