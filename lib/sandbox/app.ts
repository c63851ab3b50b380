import { Hono, type MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import contract from "@/lib/platform/payment-service/contract/openapi.json";
import { contractPaths } from "@/lib/platform/payment-service/contract/terms";
import { refuse, refuseMethod } from "./answers";
import { callerAddress } from "./caller-address";
import type { IpRange, IpAddress } from "./ip-list";
import { logRequests } from "./log";
import type { Service, SandboxEnv } from "./service";
import { createToken } from "./token-route";
import { listWebhooks, registerWebhook } from "./webhook-routes";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

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

/** Lets each caller make so many requests a minute; the rest get 429 with the seconds to wait in `Retry-After`. */
function limitRate(perMinute: number): MiddlewareHandler<SandboxEnv> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (context, next) => {
    try {
      await limiter.consume(callerOf(context.var.address));
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
      return refuse(
        context,
        { status: 429, error: "Too many requests" },
        { "Retry-After": String(seconds) },
      );
    }
    await next();
  };
}

/** An IPv4 address; for IPv6 its /64, in which a host chooses addresses freely. */
function callerOf(address: IpAddress | null): string {
  if (address === null) return "unknown";
  if (address.kind() === "ipv4") return address.toString();
  return address.toNormalizedString().split(":").slice(0, 4).join(":");
}
