import { OutboundError } from "@/lib/platform/egress/outbound";
import { errorCode, networkErrorOf } from "@/lib/platform/runtime/network-error";
import * as z from "zod";

const answered = z.object({ response: z.object({ statusCode: z.number() }) });

/** Whether openid-client failed because the provider was not reached, did not answer in time, or has a fault of its own. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof OutboundError || /^outgoing request timed out/.test(error.message))
    return true;
  const { data } = answered.safeParse(error);
  if (data) return data.response.statusCode >= 500;
  const code = errorCode(error) ?? "";
  return networkErrorOf(code) !== null || ["ECONNRESET", "EPIPE"].includes(code);
}
