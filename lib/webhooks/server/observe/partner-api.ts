import "server-only";
import { proxyFor } from "@/lib/platform/egress/outbound";
import { log } from "@/lib/platform/log/log";
import { countCall, countToken } from "@/lib/platform/metrics/metrics";
import { createPartnerApi } from "@/lib/platform/payment-service/client";
import type { PartnerApi } from "@/lib/platform/payment-service/types";
import { processWide } from "@/lib/platform/runtime/process-wide";
import packageJson from "@/package.json";

/** The process's one client of the payment service: all its requests share tokens. */
export function partnerApi(): PartnerApi {
  return processWide("partner-api", () =>
    createPartnerApi({
      userAgent: `gancho/${packageJson.version}`,
      log,
      proxyFor,
      observer: {
        call: ({ call, fault, durationMs: ms }, { environment, background }) => {
          const purpose = background ? "watch" : "person";
          countCall({ environment, call, purpose, result: fault ?? "ok", ms });
        },
        token: countToken,
      },
    }),
  );
}
