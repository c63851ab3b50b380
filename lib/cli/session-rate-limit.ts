import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { parseCookie } from "next/dist/compiled/@edge-runtime/cookies/index.js";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "./refuse";

/** How many pages, and how many other requests, one session may ask this process for in a minute. */
export type RequestsPerMinute = { pages: number; data: number };
type Kind = keyof RequestsPerMinute;

type Minute = Record<Kind, number> & { endsAt: number };

/** More sessions than are open at once; without a bound, forged cookies would fill the memory. */
const maxKept = 10_000;

/**
 * Counts requests by their session cookie: a flood is refused before the database or the framework does anything for it.
 * A session has one id, and the framework's own parser finds it. A forged one gets no further than the sign-in page.
 */
export class SessionRateLimit {
  readonly #most: RequestsPerMinute;
  readonly #cookie: string;
  /** By a digest, for a forged cookie may be long. The oldest first. */
  readonly #minutes = new Map<string, Minute>();

  constructor(most: RequestsPerMinute, url: URL) {
    this.#most = most;
    this.#cookie = sessionCookieName(url.protocol === "https:");
  }

  /** Whether the request may be answered; if not, this has refused it. */
  allows(request: IncomingMessage, response: ServerResponse, kind: Kind): boolean {
    const id = parseCookie(request.headers.cookie ?? "").get(this.#cookie);
    if (!id) return true;
    const session = createHash("sha256").update(id).digest("base64");
    const now = performance.now();
    let minute = this.#minutes.get(session);
    if (!minute || minute.endsAt <= now) {
      minute = { pages: 0, data: 0, endsAt: now + 60_000 };
      this.#minutes.delete(session);
      this.#minutes.set(session, minute);
      const [oldest] = this.#minutes.keys();
      if (this.#minutes.size > maxKept && oldest !== undefined) this.#minutes.delete(oldest);
    }
    minute[kind] += 1;
    if (minute[kind] <= this.#most[kind]) return true;
    const retryAfter = Math.ceil((minute.endsAt - now) / 1_000);
    refuse(response, "too_many_requests", { isData: kind === "data", retryAfter });
    return false;
  }
}
