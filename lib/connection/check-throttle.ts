import "server-only";
import { ProblemError } from "@/lib/problem";
import { processWide } from "@/lib/process-wide";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/**
 * A service may lock an API user out that keeps coming with a wrong secret, and each check is a call of its own,
 * whatever is remembered. Per partner and process: enough for a person who tries, too few to guess.
 */
const checks = { points: 10, duration: 60 };

/** Throws `too_many_requests`. */
export async function takeCheckTurn(partnerId: string): Promise<void> {
  const limiter = processWide("connection-checks", () => new RateLimiterMemory(checks));
  try {
    await limiter.consume(partnerId);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw new ProblemError("too_many_requests", {
      applied: "no",
      retryable: true,
      retryAfter: Math.ceil(refused.msBeforeNext / 1_000),
    });
  }
}
