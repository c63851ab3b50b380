import type { Context } from "hono";
import { eventKinds } from "@/lib/platform/payment-service/contract/terms";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import { refuse, refuseAccess } from "./answers";
import { accessByToken } from "./caller-access";
import { readJsonBody } from "./request-body";
import type { AuthField, Service, SandboxEnv } from "./service";
import type { StoredWebhook } from "./store";
import { readRegistration } from "./webhook-registration";

/** GET /api/v1/webhooks, section 4.2. */
export function listWebhooks(service: Service) {
  return async (context: Context<SandboxEnv>) => {
    const access = await authorize(service, context);
    if (!access.ok) return refuseAccess(context, access, "Bearer");

    const found = service.store.list(access.client.id);
    if (found.length === 0) {
      return refuse(context, { status: 404, error: "Configuration not found" });
    }
    const body: components["schemas"]["WebhookList"] = {
      webhooks: found.map((webhook) => toWire(webhook, service.authField)),
    };
    return context.json(body);
  };
}

/** POST /api/v1/webhooks, section 4.3. */
export function registerWebhook(service: Service) {
  return async (context: Context<SandboxEnv>) => {
    const access = await authorize(service, context);
    if (!access.ok) return refuseAccess(context, access, "Bearer");

    const body = await readJsonBody(context.req.raw);
    if (!body.ok) return refuse(context, body);
    const reading = readRegistration(body.value);
    if (!reading.ok) return refuse(context, { status: 400, error: reading.error });

    const done = service.store.register(access.client.id, reading.registration);
    const message: components["schemas"]["Message"] = { message: "Operation succeeded" };
    return context.json(message, done === "created" ? 201 : 200);
  };
}

async function authorize({ clients, tokens }: Service, context: Context<SandboxEnv>) {
  const access = await accessByToken(clients(), tokens, {
    address: context.var.address,
    authorization: context.req.header("authorization"),
  });
  if (access.client) context.set("clientId", access.client.id);
  return access;
}

function toWire(
  { type, callbackUrl, authorization }: StoredWebhook,
  authField: AuthField,
): components["schemas"]["WebhookConfiguration"] {
  return {
    type,
    callback_url: callbackUrl,
    ...(authorization !== null && authField !== "authorization" && { auth_header: authorization }),
    ...(authorization !== null && authField !== "auth_header" && { authorization }),
    events: [...eventKinds[type]],
  };
}
