import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import type { SandboxEnv } from "./service";

/** Why a request was refused: `error` is for the caller, `reason` is for the log, and may say more. */
type Refusal = { status: ContentfulStatusCode; error: string; reason?: string };

/** Answers with the error body of section 2.5. */
export function refuse(
  context: Context<SandboxEnv>,
  { status, error, reason = error }: Refusal,
  headers: Record<string, string> = {},
): Response {
  context.set("reason", reason);
  const body: components["schemas"]["Error"] = { error };
  return context.json(body, status, headers);
}

/** For a path of the contract and a method that it has no operation for. */
export function refuseMethod(allow: string) {
  return (context: Context<SandboxEnv>) =>
    refuse(context, { status: 405, error: "Method not allowed" }, { Allow: allow });
}

/** 401 says the same for every reason, as the sample body of section 7.1 does; 403 has the table's name. */
export function refuseAccess(
  context: Context<SandboxEnv>,
  access: { status: 401 | 403; reason: string },
  challenge: string,
): Response {
  return access.status === 401
    ? refuse(
        context,
        { status: 401, error: "unauthorized", reason: access.reason },
        { "WWW-Authenticate": challenge },
      )
    : refuse(context, { status: 403, error: "IP not whitelisted" });
}
