import "server-only";
import { isPostgres } from "@/lib/db/open";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { createPartnerApi } from "@/lib/partner-api/client";
import { defaultLimits } from "@/lib/partner-api/call-limits";
import { databaseTokenStore } from "@/lib/partner-api/database-token-store";
import type { PartnerApi } from "@/lib/partner-api/types";
import { processWide } from "@/lib/process-wide";
import packageJson from "@/package.json";

/**
 * The process's one client of the payment service: tokens are shared by all requests, and on PostgreSQL by all processes.
 */
export function partnerApi(): PartnerApi {
  return processWide("partner-api", () =>
    createPartnerApi({
      userAgent: `gancho/${packageJson.version}`,
      log,
      // SQLite is for a single process, whose memory is quicker.
      ...(isPostgres(env().databaseUrl.reveal()) && {
        tokenStore: databaseTokenStore({ exchangeMs: defaultLimits.exchangeMs }),
      }),
    }),
  );
}
