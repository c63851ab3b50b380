import type { MiddlewareHandler } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { refuse } from "./answers";
import type { SandboxEnv } from "./sandbox-env";

/** Lets each address make so many requests a minute; the rest get 429 with the seconds to wait in `Retry-After`. */
export function limitRate(perMinute: number): MiddlewareHandler<SandboxEnv> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (context, next) => {
    try {
      await limiter.consume(context.var.address?.toString() ?? "unknown");
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
