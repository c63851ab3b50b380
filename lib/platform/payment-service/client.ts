import "server-only";
import type { Secret } from "@/lib/platform/runtime/secret";
import {
  type CallLimits,
  defaultLimits,
  Caller,
  type Operation,
} from "@/lib/platform/payment-service/transport/caller";
import type { CallLog, CallObserver, CallOptions, PartnerApi, PartnerConnection } from "./types";
import { Deadline, type MonotonicClock } from "@/lib/platform/runtime/deadline";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { type Judgement, makeFault } from "@/lib/platform/payment-service/answers/judgement";
import { endpoint, listCall, registerCall, tokenCall } from "./requests";
import type { HowToConnect } from "@/lib/platform/payment-service/transport/connection";
import type { Owner } from "@/lib/platform/payment-service/transport/kept";
import { contractPaths } from "@/lib/platform/payment-service/contract/terms";
import { credentialsOf, TokenSource } from "@/lib/platform/payment-service/tokens/tokens";

type Options = {
  /** Sent with every request: `gancho/<version>`. */
  userAgent: string;
  log: CallLog;
  observer?: CallObserver;
  clock?: MonotonicClock;
  limits?: Partial<CallLimits>;
  /** PEM certificates to trust instead of those that Node knows. */
  ca?: string;
  proxyFor?: HowToConnect["proxyFor"];
};

type Result<T> = { ok: true; value: T } | { ok: false; fault: Fault };

/**
 * The client of the payment service: the three operations of the contract, with every failure as a value of `Fault`. It
 * keeps tokens, and for some seconds the connections of readings; there is nothing to close. No call throws.
 */
export function createPartnerApi(options: Options): PartnerApi {
  const { userAgent, log, clock = () => performance.now(), ca, proxyFor, observer } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const caller = new Caller({ limits, log, observer, clock, ca, proxyFor });
  const pauses = new Pauses(clock);
  const tokens = new TokenSource({
    clock,
    atMost: limits.rememberedConnections,
    rejectionMs: limits.rejectionMs,
    observe: (from) => observer?.token(from),
    exchange: (connection, context) =>
      operate(
        connection,
        { ...context, timeoutMs: limits.exchangeMs },
        ownerOf(connection),
        (operation) => caller.withRetries(operation, tokenCall(connection, userAgent, limits)),
      ),
  });

  async function operate<T>(
    connection: PartnerConnection,
    options: CallOptions,
    owner: Owner | null,
    work: (operation: Operation) => Promise<T>,
  ): Promise<T> {
    const { notAfter = Infinity, timeoutMs = limits.totalMs } = options;
    const ms = Math.min(timeoutMs, limits.totalMs);
    const deadline = new Deadline({ ms, clock });
    const attempts = { token: 0, list: 0, register: 0 };
    try {
      return await work({
        ...options,
        connectionId: connection.id,
        environment: connection.environment ?? "",
        deadline,
        notAfter,
        owner,
        attempts,
      });
    } finally {
      deadline.end();
    }
  }

  /** Runs a call with a token, and after a 401 once more with a new one. */
  async function authorised<T>(
    connection: PartnerConnection,
    { deadline, requestId, background }: Operation,
    run: (token: Secret) => Promise<Judgement<T>>,
  ): Promise<Result<T>> {
    const context = { requestId, ...(background && { background }) };
    const first = await tokens.get(connection, deadline, context);
    if (!first.ok) return first;
    let judgement = await run(first.token);
    if (judgement.kind === "unauthorised") {
      const second = await tokens.replace(connection, first, deadline, context);
      const refused = { during: judgement.fault.during, upstreamStatus: 401 };
      if (!second.ok) return { ok: false, fault: { ...second.fault, ...refused } };
      judgement = await run(second.token);
      // A write that did not leave a second time was refused; one that did is what its own answer says.
      if (
        judgement.kind !== "done" &&
        refused.during === "register" &&
        judgement.fault.applied === "no"
      )
        return { ok: false, fault: { ...refused, ...judgement.fault } };
    }
    return judgement.kind === "done"
      ? { ok: true, value: judgement.value }
      : { ok: false, fault: judgement.fault };
  }

  return {
    async check(connection, options) {
      // A candidate's: what is in use keeps its connection.
      const judgement = await operate(connection, options, null, (operation) =>
        caller.withRetries(operation, tokenCall(connection, userAgent, limits)),
      );
      if (judgement.kind === "done") return { ok: true };
      return { ok: false, fault: judgement.fault };
    },

    async list(connection, options) {
      const paused = pauses.secondsLeft(connection.id);
      // All readings in the background have a pause of their own, across processes.
      if (paused > 0 && !options.ofSave && !options.background)
        return {
          ok: false,
          fault: makeFault("upstream_rate_limited", "list", { retryAfter: paused }),
        };
      const result = await operate(connection, options, ownerOf(connection), (operation) =>
        authorised(connection, operation, (token) =>
          caller.withRetries(operation, listCall(connection, token, userAgent, limits)),
        ),
      );
      if (result.ok) pauses.end(connection.id);
      else if (result.fault.code === "upstream_rate_limited")
        pauses.begin(connection.id, result.fault.retryAfter);
      if (result.ok) return { ok: true, ...result.value };
      return result;
    },

    async register(connection, input, options) {
      const result = await operate(connection, options, null, (operation) =>
        authorised(connection, operation, (token) =>
          caller.once(operation, registerCall(connection, input, token, userAgent, limits)),
        ),
      );
      return result.ok ? { ok: true, status: result.value } : result;
    },

    prepare({ baseUrl }) {
      const url = endpoint(baseUrl, contractPaths.webhooks);
      return url && caller.prepare(url);
    },

    forget: (connectionId) => {
      caller.forget(connectionId);
      pauses.end(connectionId);
      tokens.forget(connectionId);
    },
  };
}

function ownerOf(connection: PartnerConnection): Owner {
  return { id: connection.id, credentials: credentialsOf(connection) };
}

/** The longest pause after the first request to slow down: the service may mean one burst. */
const firstPauseMs = 60_000;
/** The pause where the service does not say for how long. */
const defaultPauseMs = 10_000;

/**
 * The connections that the service asked to call less often, in this process. The first request to slow down stops
 * their readings for a minute at most; the next one, with no list in between, for as long as the service says.
 */
class Pauses {
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
    const requestedMs = retryAfter === undefined ? defaultPauseMs : retryAfter * 1_000;
    const forMs = this.#until.has(connectionId) ? requestedMs : Math.min(requestedMs, firstPauseMs);
    this.#until.set(connectionId, this.#clock() + forMs);
  }

  end(connectionId: string): void {
    this.#until.delete(connectionId);
  }
}
