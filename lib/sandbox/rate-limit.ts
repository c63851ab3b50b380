import type { MiddlewareHandler } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { refuse } from "./answers";
import type { IpAddress } from "./ip-list";
import type { SandboxEnv } from "./sandbox-env";

/** An IPv4 address; of an IPv6 one its /64, from which a host chooses addresses as it likes. */
function callerOf(address: IpAddress | null): string {
  if (address === null) return "unknown";
  if (address.kind() === "ipv4") return address.toString();
  return address.toNormalizedString().split(":").slice(0, 4).join(":");
}

/** Lets each caller make so many requests a minute; the rest get 429 with the seconds to wait in `Retry-After`. */
export function limitRate(perMinute: number): MiddlewareHandler<SandboxEnv> {
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
