import type { Context } from "hono";
import { refuse, refuseAccess } from "./answers";
import { accessByCredentials } from "./caller-access";
import { isTokenRequest } from "./contract-rules";
import { readJsonBody } from "./request-body";
import type { Service, SandboxEnv } from "./service";

/** POST /api/oauth/token, section 4.1. */
export function createToken({ clients, tokens }: Service) {
  return async (context: Context<SandboxEnv>) => {
    const access = accessByCredentials(clients(), {
      address: context.var.address,
      authorization: context.req.header("authorization"),
    });
    if (access.client) context.set("clientId", access.client.id);
    if (!access.ok) return refuseAccess(context, access, 'Basic realm="token", charset="UTF-8"');

    const body = await readJsonBody(context.req.raw);
    if (!body.ok && body.status === 413) return refuse(context, body);
    // Of bodies, section 7.1 knows one error.
    if (!body.ok || !isTokenRequest(body.value)) {
      return refuse(context, {
        status: 400,
        error: "Unsupported grant type",
        reason: body.ok ? "Unsupported grant type" : body.error,
      });
    }
    return context.json(await tokens.issue(access.client.id));
  };
}
