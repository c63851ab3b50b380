import "server-only";
import type { HowToConnect } from "./transport/connection";
import { contractPaths } from "@/lib/platform/payment-service/contract/terms";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { Deadline } from "@/lib/platform/runtime/deadline";
import { endpoint } from "./requests";
import { defaultLimits } from "@/lib/platform/payment-service/transport/caller";
import { send } from "./transport/transport";

export type Reached = { status: number } | { fault: FaultCode };

/**
 * Requests a token from the service at a base address without credentials, which it has to refuse with 401, or with 403
 * where it does not allow this machine (section 7.1). That shows whether it is reachable and who vouches for its
 * certificate, before there are any credentials. It reads nothing and changes nothing.
 */
export async function reachService(
  baseUrl: string,
  { userAgent, proxyFor }: { userAgent: string; proxyFor: HowToConnect["proxyFor"] },
): Promise<Reached> {
  const url = endpoint(baseUrl, contractPaths.token);
  if (!url) return { fault: "misconfigured" };
  const deadline = new Deadline({ ms: defaultLimits.totalMs });
  const json = "application/json";
  const headers = { "user-agent": userAgent, accept: json, "content-type": json };
  const body = JSON.stringify({ grant_type: "client_credentials" });
  const request = { method: "POST" as const, url, headers, body, bodyLimit: 64 * 1024 };
  const answer = await send(request, deadline, { ...defaultLimits, ca: undefined, proxyFor });
  deadline.end();
  return answer.kind === "answered" ? { status: answer.status } : { fault: answer.code };
}
