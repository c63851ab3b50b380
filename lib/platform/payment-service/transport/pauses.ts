import type { MonotonicClock } from "@/lib/platform/runtime/deadline";

/** The first request to slow down counts for so long at the most: the service may mean one burst. */
const firstMs = 60_000;
/** Where the service does not say for how long. */
const unsaidMs = 10_000;

/**
 * The connections that the service asked to call less often, in this process. The first request to slow down stops
 * their readings for a minute at the most; the next one, with no list in between, for as long as the service says.
 */
export class Pauses {
  readonly #until = new Map<string, number>();
  readonly #clock: MonotonicClock;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** Whole seconds; 0: the connection may be read. */
  secondsLeft(connectionId: string): number {
    const until = this.#until.get(connectionId) ?? -Infinity;
    return Math.max(0, Math.ceil((until - this.#clock()) / 1_000));
  }

  /** `retryAfter`: whole seconds. */
  begin(connectionId: string, retryAfter: number | undefined): void {
    const saidMs = retryAfter === undefined ? unsaidMs : retryAfter * 1_000;
    const forMs = this.#until.has(connectionId) ? saidMs : Math.min(saidMs, firstMs);
    this.#until.set(connectionId, this.#clock() + forMs);
  }

  end(connectionId: string): void {
    this.#until.delete(connectionId);
  }
}
