import "server-only";
import { contractPaths } from "@/lib/platform/payment-service/contract/terms";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { Deadline } from "@/lib/platform/runtime/deadline";
import { endpoint } from "./requests";
import { defaultLimits } from "@/lib/platform/payment-service/transport/caller";
import { send } from "./transport/transport";

export type Reached = { status: number } | { fault: FaultCode };

/**
 * Requests a list from the service at a base address without credentials, which it has to refuse with 401 (section
 * 7.1): that shows whether it is reachable, who vouches for its certificate and whether it allows this machine, before
 * there are any credentials. It reads nothing and changes nothing.
 */
export async function reachService(baseUrl: string, userAgent: string): Promise<Reached> {
  const url = endpoint(baseUrl, contractPaths.webhooks);
  if (!url) return { fault: "misconfigured" };
  const deadline = new Deadline({ ms: defaultLimits.totalMs });
  const headers = { "user-agent": userAgent, accept: "application/json" };
  const request = { method: "GET" as const, url, headers, body: null, bodyLimit: 64 * 1024 };
  const answer = await send(request, deadline, { limits: defaultLimits });
  deadline.end();
  return answer.kind === "answered" ? { status: answer.status } : { fault: answer.code };
}
