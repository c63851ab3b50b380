import "server-only";
import { isPostgres } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { countCall, countToken } from "@/lib/platform/metrics/metrics";
import { createPartnerApi } from "@/lib/platform/payment-service/client";
import { defaultLimits } from "@/lib/platform/payment-service/transport/call-limits";
import { databaseTokenStore } from "@/lib/platform/payment-service/tokens/database-token-store";
import type { PartnerApi } from "@/lib/platform/payment-service/types";
import { processWide } from "@/lib/platform/runtime/process-wide";
import packageJson from "@/package.json";

/**
 * The process's one client of the payment service: tokens are shared by all requests, and on PostgreSQL by all processes.
 */
export function partnerApi(): PartnerApi {
  return processWide("partner-api", () =>
    createPartnerApi({
      userAgent: `gancho/${packageJson.version}`,
      log,
      observer: {
        call: ({ call, fault, durationMs: ms }, { environment, background }) => {
          const purpose = background ? "watch" : "person";
          countCall({ environment, call, purpose, result: fault ?? "ok", ms });
        },
        token: countToken,
      },
      // SQLite is for a single process, whose memory is quicker.
      ...(isPostgres(env().databaseUrl.reveal()) && {
        tokenStore: databaseTokenStore({ exchangeMs: defaultLimits.exchangeMs }),
      }),
    }),
  );
}
