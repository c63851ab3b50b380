import { Hono } from "hono";
import type { Logger } from "pino";
import contract from "@/lib/platform/payment-service/contract/openapi.json";
import { contractPaths } from "@/lib/platform/payment-service/contract/terms";
import { refuse, refuseMethod } from "./answers";
import { callerAddress } from "./caller-address";
import type { IpRange } from "./ip-list";
import { limitRate } from "./rate-limit";
import { logRequests } from "./request-log";
import type { SandboxEnv } from "./sandbox-env";
import type { Service } from "./service";
import { createToken } from "./token-route";
import { listWebhooks, registerWebhook } from "./webhook-routes";

type AppOptions = {
  service: Service;
  log: Logger;
  trustedProxies: readonly IpRange[];
  /** Requests a minute and address; null: no limit. */
  rateLimit: number | null;
};

/** The whole interface: the three operations of the contract, and the document that describes them. */
export function createApp({ service, log, trustedProxies, rateLimit }: AppOptions) {
  const app = new Hono<SandboxEnv>();

  app.use(logRequests(log));
  app.use(async (context, next) => {
    const { remoteAddress } = context.env.incoming.socket;
    const forwardedFor = context.req.header("x-forwarded-for");
    context.set("address", callerAddress(remoteAddress, forwardedFor, trustedProxies));
    context.header("Cache-Control", "no-store");
    await next();
  });
  if (rateLimit !== null) app.use("/api/*", limitRate(rateLimit));

  app.post(contractPaths.token, createToken(service));
  app.all(contractPaths.token, refuseMethod("POST"));

  app.get(contractPaths.webhooks, listWebhooks(service));
  app.post(contractPaths.webhooks, registerWebhook(service));
  app.all(contractPaths.webhooks, refuseMethod("GET, HEAD, POST"));

  app.get("/openapi.json", (context) => context.json(contract));
  app.all("/openapi.json", refuseMethod("GET, HEAD"));

  app.notFound((context) => refuse(context, { status: 404, error: "Not found" }));
  app.onError((error, context) => {
    log.error({ err: { type: error.name, message: error.message, stack: error.stack } }, "failure");
    return refuse(context, { status: 500, error: "Internal error" });
  });
  return app;
}
