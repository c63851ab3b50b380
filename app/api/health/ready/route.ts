import { isUpToDate } from "@/lib/db/migrate";
import { db } from "@/lib/db/open";
import { read, routes } from "@/lib/http/route";
import { log } from "@/lib/log";
import { lackingKeys } from "@/lib/secrets/key-faults";
import { keyring } from "@/lib/secrets/keyring";
import { isStopping } from "@/lib/under-way";

/**
 * Readiness: the database answers and has this version's tables, ENCRYPTION_KEYS of this process opens what is in it,
 * and nobody asked this process to end. The payment service is left out: its failures are shown, not answered by taking
 * Gancho away.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("health.ready", {
  GET: read({
    access: async () => undefined,
    handle: async ({ requestId }) => {
      const status = isStopping() ? "stopping" : await databaseStatus(requestId);
      return Response.json({ status }, { status: status === "ok" ? 200 : 503 });
    },
  }),
});

async function databaseStatus(requestId: string) {
  try {
    if (!(await isUpToDate(db()))) return "not_migrated";
    const keys = await lackingKeys(db(), keyring());
    if (keys.length === 0) return "ok";
    log.warn(
      { requestId, keys },
      "ENCRYPTION_KEYS lacks keys that sealed secrets: add them and restart",
    );
    return "keys_missing";
  } catch (err) {
    log.warn({ requestId, err }, "the database does not answer");
    return "no_database";
  }
}
