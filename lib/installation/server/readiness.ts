import "server-only";
import { withinMs } from "@/lib/platform/database/deadline";
import { isStillCurrent, schemaState } from "@/lib/platform/database/migrate";
import { probeDb } from "@/lib/platform/database/open";
import {
  hasAnsweredSince,
  isDatabaseUnavailable,
  writeFault,
} from "@/lib/platform/database/unavailable";
import { log } from "@/lib/platform/log/log";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { keyring } from "@/lib/platform/secrets/envelope";
import { keyFaults } from "@/lib/platform/secrets/key-faults";

/** Why this process should get no requests; docs/operate.md says what to do. */
export type Readiness =
  | "ok"
  | "stopping"
  | "no_database"
  | "times_out"
  | "disk_full"
  | "read_only"
  | "not_migrated"
  | "newer_tables"
  | "keys_missing";

/** `waitMs` limits each wait for the database, `answerMs` all of them together. */
const waitMs = 1_200;
const answerMs = 1_700;

/** For how long the tables and the keys that were found in order are taken to be so. */
const rememberMs = 30_000;

type Remembered = {
  /** On the clock of `performance`. */
  until: number;
  checking: Promise<Readiness> | null;
  looking: Promise<unknown> | null;
};

const remembered = () =>
  processWide<Remembered>("readiness", () => ({ until: -Infinity, checking: null, looking: null }));

/**
 * Whether this process can serve: the database answers, takes writes and has tables that this release can work with,
 * ENCRYPTION_KEYS opens its data, and the process is not shutting down. Within two seconds, whatever the database does,
 * and over connections of its own: a process whose requests wait for each other is busy, and not without a database.
 */
export async function readiness(): Promise<Readiness> {
  if (isStopping()) return "stopping";
  const began = performance.now();
  const state = remembered();
  // Probes at the same time share one result.
  state.checking ??= withinMs(waitMs, () => check(state)).finally(() => (state.checking = null));
  const ended = await withTimeout(answerMs, state.checking);
  // A shutdown may have begun during the query.
  if (isStopping()) return "stopping";
  const found = ended.inTime ? ended.value : "no_database";
  // It answers others, and is merely busy, as this machine may be.
  const isBusy = found === "no_database" && state.until > 0 && hasAnsweredSince(began);
  return isBusy ? "ok" : found;
}

async function check(state: Remembered): Promise<Readiness> {
  try {
    const found = await lookOrRemember(state);
    if (found !== "ok") return found;
    const fault = await writeFault(probeDb());
    if (fault) log.warn({ fault }, "the database does not do what requests ask of it");
    return fault === "no_answer" ? "times_out" : (fault ?? "ok");
  } catch (err) {
    log.warn({ err }, "the database does not answer");
    return "no_database";
  }
}

/** One statement while all is in order; the rest is looked at again beside it, now and then. */
async function lookOrRemember(state: Remembered): Promise<Readiness> {
  if (state.until === -Infinity) return look(state);
  if (state.until < performance.now())
    state.looking ??= look(state)
      .catch(() => undefined)
      .finally(() => (state.looking = null));
  try {
    if (await isStillCurrent(probeDb())) return "ok";
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    // Its tables are others now, or none.
  }
  return look(state);
}

/** Remembers what it finds in order; anything else is looked at again each time. */
async function look(state: Remembered): Promise<Readiness> {
  const db = probeDb();
  const schema = await schemaState(db);
  const faults = schema === "current" ? await keyFaults(db, keyring()) : [];
  const isFine = schema === "current" && faults.length === 0;
  state.until = isFine ? performance.now() + rememberMs : -Infinity;
  if (schema === "older") return "not_migrated";
  if (schema === "newer") {
    log.warn("a newer release has changed the tables: upgrade this instance");
    return "newer_tables";
  }
  if (isFine) return "ok";
  log.warn(
    { keys: faults.map(({ keyId }) => keyId) },
    "ENCRYPTION_KEYS lacks keys that sealed secrets: add them and restart",
  );
  return "keys_missing";
}
