type Turn<T> = { ran: true; value: T } | { ran: false; because: "full" | "deadline" };

type GateLimits = {
  /** Pieces of work at once. */
  concurrency: number;
  /** So many of these places only urgent work can have. */
  reserved: number;
  /** How much urgent work may wait, and how much other; more is refused at once. */
  waiting: number;
};

/** Lets a bounded number of pieces of work run at once, and a bounded number wait in order: urgent ones first. */
class Gate {
  #running = 0;
  readonly #urgent = new Set<() => void>();
  readonly #others = new Set<() => void>();
  readonly #limits: GateLimits;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  get idle(): boolean {
    return this.#running === 0 && this.#urgent.size + this.#others.size === 0;
  }

  async run<T>(signal: AbortSignal, urgent: boolean, work: () => Promise<T>): Promise<Turn<T>> {
    if (signal.aborted) return { ran: false, because: "deadline" };
    const waiting = urgent ? this.#urgent : this.#others;
    if (this.#running < this.#placesFor(urgent)) {
      this.#running += 1;
    } else {
      if (waiting.size >= this.#limits.waiting) return { ran: false, because: "full" };
      if (!(await turnIn(waiting, signal))) return { ran: false, because: "deadline" };
    }
    try {
      return { ran: true, value: await work() };
    } finally {
      this.#leave();
    }
  }

  #placesFor(urgent: boolean): number {
    const { concurrency, reserved } = this.#limits;
    return urgent ? concurrency : concurrency - reserved;
  }

  /** The place goes to the longest waiting one that may have it; `#running` stays the same then. */
  #leave(): void {
    const [urgent] = this.#urgent;
    const [other] = this.#running <= this.#placesFor(false) ? this.#others : [];
    const next = urgent ?? other;
    if (!next) {
      this.#running -= 1;
      return;
    }
    this.#urgent.delete(next);
    this.#others.delete(next);
    next();
  }
}

/** True once it is our turn, false if the signal came first. */
function turnIn(waiting: Set<() => void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const admit = () => {
      signal.removeEventListener("abort", giveUp);
      resolve(true);
    };
    const giveUp = () => {
      waiting.delete(admit);
      resolve(false);
    };
    waiting.add(admit);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

/** A gate for each key, kept only while it is in use. */
export class Gates {
  readonly #gates = new Map<string, Gate>();
  readonly #limits: GateLimits;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in its turn. It does not run if the queue is full ("full"), or if the signal comes before its turn
   * ("deadline").
   */
  async run<T>(
    { key, signal, urgent }: { key: string; signal: AbortSignal; urgent: boolean },
    work: () => Promise<T>,
  ): Promise<Turn<T>> {
    const gate = this.#gates.get(key) ?? new Gate(this.#limits);
    this.#gates.set(key, gate);
    try {
      return await gate.run(signal, urgent, work);
    } finally {
      if (gate.idle) this.#gates.delete(key);
    }
  }
}
