import type { Credentials } from "@/lib/connection/server/set-by-operator";
import { problemCatalogue } from "@/lib/platform/http/model/problem";
import { newRequestId } from "@/lib/platform/log/request-note";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** Five a second: the service's partners go on working meanwhile. */
const betweenMs = 200;
const attempts = 3;
const longestPauseMs = 60_000;

/** Why the payment service does not take these credentials; null where it does. Waits where it asks for that. */
export async function faultOfCredentials(
  credentials: Credentials,
  { environment, baseUrl }: { environment: string; baseUrl: string },
): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    await pause(betweenMs);
    const connection = { id: randomUUID(), version: 1, environment, baseUrl, ...credentials };
    const result = await partnerApi().check(connection, { requestId: newRequestId() });
    if (result.ok) return null;
    const { code, retryable, retryAfter = 1 } = result.fault;
    if (!retryable || attempt === attempts)
      return `connections.${environment} does not work: ${problemCatalogue[code].title} (${code})`;
    await pause(Math.min(retryAfter * 1_000, longestPauseMs));
  }
}
