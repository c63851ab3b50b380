type Turn<T> = { ran: true; value: T } | { ran: false; because: "full" | "deadline" };

/** Lets a bounded number of pieces of work run at once, and a bounded number wait in order. */
class Gate {
  #running = 0;
  readonly #waiting = new Set<() => void>();
  readonly #concurrency: number;
  readonly #mayWait: number;

  constructor(concurrency: number, mayWait: number) {
    this.#concurrency = concurrency;
    this.#mayWait = mayWait;
  }

  get idle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<Turn<T>> {
    if (signal.aborted) return { ran: false, because: "deadline" };
    if (this.#running < this.#concurrency) {
      this.#running += 1;
    } else {
      if (this.#waiting.size >= this.#mayWait) return { ran: false, because: "full" };
      if (!(await this.#turn(signal))) return { ran: false, because: "deadline" };
    }
    try {
      return { ran: true, value: await work() };
    } finally {
      this.#leave();
    }
  }

  /** True once it is our turn, false if the signal came first. */
  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const admit = () => {
        signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const giveUp = () => {
        this.#waiting.delete(admit);
        resolve(false);
      };
      this.#waiting.add(admit);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** The place goes to the longest waiting one; `#running` stays the same then. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else {
      this.#running -= 1;
    }
  }
}

/** A gate for each key, kept only while it is in use. */
export class Gates {
  readonly #gates = new Map<string, Gate>();
  readonly #concurrency: number;
  readonly #mayWait: number;

  constructor(limits: { concurrency: number; waiting: number }) {
    this.#concurrency = limits.concurrency;
    this.#mayWait = limits.waiting;
  }

  /**
   * Runs `work` in its turn. It does not run if the queue is full ("full"), or if the signal comes before its turn
   * ("deadline").
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<Turn<T>> {
    const gate = this.#gates.get(key) ?? new Gate(this.#concurrency, this.#mayWait);
    this.#gates.set(key, gate);
    try {
      return await gate.run(signal, work);
    } finally {
      if (gate.idle) this.#gates.delete(key);
    }
  }
}
