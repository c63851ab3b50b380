import type { Credentials } from "@/lib/connection/server/credentials";
import type { Trial } from "@/lib/connection/server/set-by-operator";
import { problemCatalogue } from "@/lib/platform/http/model/problem";
import { newRequestId } from "@/lib/platform/log/request-note";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** Five a second: the service's partners go on working meanwhile. */
const betweenMs = 200;
const attempts = 3;
const longestPauseMs = 60_000;

/** Tries credentials at the payment service; `fault`: why it does not take them. Waits where it asks for that. */
export async function tryCredentials(
  credentials: Credentials,
  { environment, baseUrl }: { environment: string; baseUrl: string },
): Promise<Trial | { fault: string }> {
  for (let attempt = 1; ; attempt += 1) {
    await pause(betweenMs);
    const connection = { id: randomUUID(), version: 1, environment, baseUrl, ...credentials };
    const requestId = newRequestId();
    const result = await partnerApi().check(connection, { requestId });
    if (result.ok) return { at: databaseTime(), requestId };
    const { code, retryable, retryAfter = 1 } = result.fault;
    if (!retryable || attempt === attempts) {
      const { title } = problemCatalogue[code];
      return { fault: `connections.${environment} does not work: ${title} (${code})` };
    }
    await pause(Math.min(retryAfter * 1_000, longestPauseMs));
  }
}
