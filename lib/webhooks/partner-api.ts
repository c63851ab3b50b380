import "server-only";
import { log } from "@/lib/log";
import { createPartnerApi } from "@/lib/partner-api/client";
import type { PartnerApi } from "@/lib/partner-api/types";
import { processWide } from "@/lib/process-wide";
import packageJson from "@/package.json";

/** The process's one client of the payment service: tokens and connections are shared by all requests. */
export function partnerApi(): PartnerApi {
  return processWide("partner-api", () =>
    createPartnerApi({ userAgent: `gancho/${packageJson.version}`, log }),
  );
}
