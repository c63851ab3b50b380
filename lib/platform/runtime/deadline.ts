import { setTimeout as after } from "node:timers/promises";

/** Milliseconds on a monotonic clock; only differences mean anything. */
export type MonotonicClock = () => number;

type Options = {
  /** Milliseconds from now. */
  ms: number;
  clock?: MonotonicClock;
};

type InTime<T> = { inTime: true; value: T } | { inTime: false };

/** The result of `work`, unless `ms` milliseconds pass first; `work` itself goes on. */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<InTime<T>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ inTime: false }), ms);
    const end = () => clearTimeout(timer);
    work.then((value) => resolve({ inTime: true, value }), reject).finally(end);
  });
}

/** The time by which an operation must have ended; everything that the operation waits for gets it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #clock: MonotonicClock;
  /** On its clock. */
  readonly endsAt: number;
  readonly #timer: NodeJS.Timeout;

  constructor({ ms, clock = () => performance.now() }: Options) {
    this.#clock = clock;
    this.endsAt = clock() + ms;
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  /** Aborts when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds left, never negative. */
  get remainingMs(): number {
    return this.signal.aborted ? 0 : Math.max(0, this.endsAt - this.#clock());
  }

  /** The result of `work`, unless the deadline comes first; `work` itself goes on for others that wait for it. */
  async race<T>(work: Promise<T>): Promise<InTime<T>> {
    let listener: (() => void) | undefined;
    const late = new Promise<{ inTime: false }>((resolve) => {
      listener = () => {
        resolve({ inTime: false });
      };
      this.signal.addEventListener("abort", listener, { once: true });
      if (this.signal.aborted) listener();
    });
    try {
      return await Promise.race([work.then((value) => ({ inTime: true as const, value })), late]);
    } finally {
      if (listener) this.signal.removeEventListener("abort", listener);
    }
  }

  /** Waits, and returns whether there is time left afterwards; does not wait where there cannot be. */
  async pause(ms: number): Promise<boolean> {
    if (ms >= this.remainingMs) return false;
    return after(ms, true, { signal: this.signal }).catch(() => false);
  }

  /** Releases the timer; call it when the operation has ended. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
