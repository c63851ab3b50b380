import "server-only";
import { noteCall } from "@/lib/platform/log/request-note";
import { callTimings } from "@/lib/platform/runtime/timings";
import type {
  CallLine,
  CallLog,
  CallObserver,
  CallOptions,
} from "@/lib/platform/payment-service/types";
import type { Deadline, MonotonicClock } from "@/lib/platform/runtime/deadline";
import type { Fault, FaultCode } from "@/lib/platform/payment-service/model/fault";
import { type Judgement, makeFault } from "@/lib/platform/payment-service/answers/judgement";
import type { UpstreamCall } from "@/lib/platform/payment-service/requests";
import { EarlyConnection, type HowToConnect } from "./connection";
import { KeptConnections, type Owner } from "./kept";
import { send, sendOnKept, type WireAnswer } from "./transport";

/** The limits of one call to the payment service. Tests pass smaller ones instead of waiting. */
export type CallLimits = {
  /** Name, TCP and TLS together, milliseconds. */
  connectMs: number;
  /** A whole operation: waiting for a turn, token exchange, retries and the last byte of the answer, milliseconds. */
  totalMs: number;
  /**
   * An exchange of a token with its retries, milliseconds. Less than `totalMs`, so that waiting calls get its result,
   * and a call with the token still has a chance.
   */
  exchangeMs: number;
  /** A write does not begin with less time left than this, milliseconds: it would only end as "unknown". */
  minWriteMs: number;
  /** Further tries of a read (list, token exchange) after a failure that may pass. */
  retries: number;
  /** The pause before the first retry, milliseconds, give or take half; doubles each time. */
  retryPauseMs: number;
  /** Bytes of a body, counted after decompression. */
  tokenBodyBytes: number;
  listBodyBytes: number;
  /** Of an error, or of an answer that is only confirmed by reading back. */
  otherBodyBytes: number;
  /** Requests in flight to one origin, all partners together; bounds our sockets. */
  concurrencyPerOrigin: number;
  /** How many of these places no reading can take: they are for saves, and the tokens that those need. */
  reservedForSaves: number;
  /** How many readings may wait for their turn, and how many other calls; more are refused at once. */
  waiting: number;
  /** Connections kept open for the next reading, each of another owner; the least recently used one goes first. */
  keptConnections: number;
  /** How long one stays open without a reading, milliseconds. A service that names a shorter time is believed. */
  keptMs: number;
  /** How long "wrong id or secret" is remembered without another call, milliseconds. */
  rejectionMs: number;
  /** Connections whose last exchange is remembered; the least recently used one goes first. */
  rememberedConnections: number;
};

export const defaultLimits: CallLimits = {
  ...callTimings,
  retries: 2,
  tokenBodyBytes: 64 * 1024,
  listBodyBytes: 1024 * 1024,
  otherBodyBytes: 16 * 1024,
  concurrencyPerOrigin: 256,
  reservedForSaves: 64,
  waiting: 1_000,
  keptConnections: 256,
  keptMs: 10_000,
  rejectionMs: 30_000,
  rememberedConnections: 200_000,
};

/** One operation that somebody waits for, and what its calls share. */
export type Operation = Omit<CallOptions, "timeoutMs"> & {
  connectionId: string;
  environment: string;
  deadline: Deadline;
  notAfter: number;
  /** Whose connection its reads keep; null: they keep none. */
  owner: Owner | null;
  /** Requests so far, by kind. */
  attempts: Record<Fault["during"], number>;
};

type Options = {
  limits: CallLimits;
  log: CallLog;
  observer: CallObserver | undefined;
  clock: MonotonicClock;
} & Pick<HowToConnect, "ca" | "proxyFor">;

/** Why a request was not sent at all. */
type Unsent = { kind: "unsent"; code: FaultCode; retryAfter?: number };

const noted = ({ call, status, durationMs }: CallLine) => ({ call, status, ms: durationMs });

/** Sends single requests: each in its turn, judged, and with its line in the log. */
export class Caller {
  readonly #options: Options;
  /** By origin; there are as many as environments have. */
  readonly #gates = new Map<string, Gate>();
  readonly #kept: KeptConnections;
  #early = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#kept = new KeptConnections(options.limits.keptConnections);
  }

  /** Closes the kept connection of an owner. */
  forget(ownerId: string): void {
    this.#kept.forget(ownerId);
  }

  /** Opens the connection of a write ahead. Where there are too many of these, it is opened when it is needed. */
  prepare(url: URL): EarlyConnection | null {
    const { limits, ca, proxyFor } = this.#options;
    const { reservedForSaves, connectMs } = limits;
    if (this.#early >= reservedForSaves) return null;
    this.#early += 1;
    const given = () => void (this.#early -= 1);
    return new EarlyConnection(url, { connectMs, ca, proxyFor }, given);
  }

  /** One request, whatever its outcome. */
  async once<T>(operation: Operation, call: UpstreamCall<T>): Promise<Judgement<T>> {
    const { clock, log, observer } = this.#options;
    const { connectionId, requestId, environment, background = false } = operation;
    const attempt = (operation.attempts[call.name] += 1);
    const startedAt = clock();
    const answer = await this.#send(operation, call);
    const judgement = answer.kind === "unsent" ? unsent(call.name, answer) : call.judge(answer);
    const failed = judgement.kind !== "done";
    const line: CallLine = {
      requestId,
      connectionId,
      call: call.name,
      attempt,
      status: answer.kind === "answered" ? answer.status : null,
      durationMs: Math.round(clock() - startedAt),
      fault: failed ? judgement.fault.code : null,
    };
    if (failed) log.warn(line, "call to the payment service failed");
    // There are millions of background calls a day. What changes something has a line at once.
    else if (!background && (call.name === "register" || !noteCall(noted(line))))
      log.info(line, "call to the payment service ended");
    observer?.call(line, { environment, background });
    operation.onCall?.(line);
    return judgement;
  }

  /** For calls that change nothing: retries transient faults, while there is time. */
  async withRetries<T>(operation: Operation, call: UpstreamCall<T>): Promise<Judgement<T>> {
    const { retries, retryPauseMs } = this.#options.limits;
    for (let retry = 0; ; retry += 1) {
      const judgement = await this.once(operation, call);
      if (judgement.kind !== "failed" || !judgement.retryable || retry === retries)
        return judgement;
      const { retryAfter, code } = judgement.fault;
      // The scheduler of all background reads has to slow down, not this call.
      if (operation.background && code === "upstream_rate_limited") return judgement;
      const jitter = retryPauseMs * 2 ** retry * (0.5 + Math.random());
      const pauseMs = retryAfter === undefined ? jitter : Math.max(jitter, retryAfter * 1_000);
      if (!(await operation.deadline.pause(pauseMs))) return judgement;
    }
  }

  async #send<T>(operation: Operation, call: UpstreamCall<T>): Promise<WireAnswer | Unsent> {
    const request = call.request();
    if (!request) return { kind: "unsent", code: "misconfigured" };
    // So that the service's people and ours find the same request.
    request.headers["x-request-id"] = operation.requestId;
    const { deadline, notAfter, onSend, owner, early } = operation;
    const { limits, ca, proxyFor } = this.#options;
    const how = { ...limits, ca, proxyFor };
    if (operation.background) return send(request, deadline, how);
    const { origin } = request.url;
    const gate = this.#gates.get(origin) ?? new Gate(this.#options.limits);
    this.#gates.set(origin, gate);
    // A token is urgent even for a reading: a save may wait for it.
    const urgent = operation.ofSave ?? call.name !== "list";
    const slot = await gate.run(deadline.signal, urgent, async () => {
      if (deadline.remainingMs < call.minMs) return notStarted("deadline");
      if (call.name === "register")
        return send(request, deadline, { ...how, notAfter, onSend, early });
      const place = owner && this.#kept.take(owner);
      return place ? sendOnKept(request, deadline, how, place) : send(request, deadline, how);
    });
    return slot.ran ? slot.value : notStarted(slot.because);
  }
}

/** "full": too many of our requests wait already, so that the service is not asked. */
function notStarted(because: "full" | "deadline"): Unsent {
  return because === "full"
    ? { kind: "unsent", code: "overloaded", retryAfter: 1 }
    : { kind: "unsent", code: "upstream_timeout" };
}

function unsent(
  call: Fault["during"],
  { code, retryAfter }: Unsent,
): Extract<Judgement<never>, { kind: "failed" }> {
  return { kind: "failed", fault: makeFault(code, call, { retryAfter }), retryable: false };
}

type SlotResult<T> = { ran: true; value: T } | { ran: false; because: "full" | "deadline" };

/** Lets a bounded number of pieces of work run at once, and a bounded number wait in order: urgent ones first. */
class Gate {
  #running = 0;
  readonly #urgent = new Set<() => void>();
  readonly #others = new Set<() => void>();
  readonly #limits: CallLimits;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in its turn. It does not run if the queue is full ("full"), or if the signal comes before its turn
   * ("deadline").
   */
  async run<T>(
    signal: AbortSignal,
    urgent: boolean,
    work: () => Promise<T>,
  ): Promise<SlotResult<T>> {
    if (signal.aborted) return { ran: false, because: "deadline" };
    const waiting = urgent ? this.#urgent : this.#others;
    if (this.#running < this.#placesFor(urgent)) {
      this.#running += 1;
    } else {
      if (waiting.size >= this.#limits.waiting) return { ran: false, because: "full" };
      if (!(await waitForTurn(waiting, signal))) return { ran: false, because: "deadline" };
    }
    try {
      return { ran: true, value: await work() };
    } finally {
      this.#leave();
    }
  }

  #placesFor(urgent: boolean): number {
    const { concurrencyPerOrigin, reservedForSaves } = this.#limits;
    return urgent ? concurrencyPerOrigin : concurrencyPerOrigin - reservedForSaves;
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
function waitForTurn(waiting: Set<() => void>, signal: AbortSignal): Promise<boolean> {
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
