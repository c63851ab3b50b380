import { withinMs } from "@/lib/platform/database/deadline";
import { schemaState } from "@/lib/platform/database/migrate";
import { db } from "@/lib/platform/database/open";
import { writeFault } from "@/lib/platform/database/unavailable";
import { read, routes } from "@/lib/platform/http/route";
import { log } from "@/lib/platform/log/log";
import { keyFaults } from "@/lib/platform/secrets/key-faults";
import { keyring } from "@/lib/platform/secrets/envelope";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { isStopping } from "@/lib/platform/runtime/in-flight";

/**
 * Readiness: the database answers, takes writes and has tables that this release can work with, ENCRYPTION_KEYS of this
 * process opens its data, and this process is not shutting down. Answers within two seconds, whatever the database
 * does. The payment service is left out: its failures are shown, and are no reason to stop traffic to Gancho.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("health.ready", {
  GET: read({
    access: async () => undefined,
    handle: async ({ requestId }) => {
      const ended = isStopping() ? null : await withTimeout(answerMs, databaseStatus(requestId));
      const found = ended?.inTime ? ended.value : "no_database";
      // A shutdown may have begun during the query.
      const status = isStopping() ? "stopping" : found;
      return Response.json({ status }, { status: status === "ok" ? 200 : 503 });
    },
  }),
});

/** `waitMs` limits each wait for the database, `answerMs` all of them together. */
const waitMs = 1_200;
const answerMs = 1_700;

type Status =
  | "ok"
  | "not_migrated"
  | "newer_tables"
  | "keys_missing"
  | "no_database"
  | Exclude<Awaited<ReturnType<typeof writeFault>>, "no_answer" | null>;

let checking: Promise<Status> | null = null;

/** A probe that arrives during a query shares its result, so that probes do not exhaust the connection pool. */
function databaseStatus(requestId: string): Promise<Status> {
  checking ??= withinMs(waitMs, () => checkDatabase(requestId)).finally(() => (checking = null));
  return checking;
}

async function checkDatabase(requestId: string): Promise<Status> {
  try {
    const schema = await schemaState(db());
    if (schema === "older") return "not_migrated";
    if (schema === "newer") {
      log.warn({ requestId }, "a newer release has changed the tables: upgrade this instance");
      return "newer_tables";
    }
    const faults = await keyFaults(db(), keyring());
    if (faults.length > 0) {
      log.warn(
        { requestId, keys: faults.map(({ keyId }) => keyId) },
        "ENCRYPTION_KEYS lacks keys that sealed secrets: add them and restart",
      );
      return "keys_missing";
    }
    const fault = await writeFault(db());
    if (fault) log.warn({ requestId, fault }, "the database takes no writes");
    return fault === "no_answer" ? "no_database" : (fault ?? "ok");
  } catch (err) {
    log.warn({ requestId, err }, "the database does not answer");
    return "no_database";
  }
}
