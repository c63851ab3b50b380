import "server-only";
import { randomUUID } from "node:crypto";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { Deadline, MonotonicClock } from "@/lib/platform/runtime/deadline";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { type Judgement, makeFault } from "@/lib/platform/payment-service/answers/judgement";
import type { IssuedToken } from "@/lib/platform/payment-service/answers/read-answer";
import type {
  CallObserver,
  CallOptions,
  PartnerConnection,
} from "@/lib/platform/payment-service/types";

/** `issue` distinguishes exchanges, even where the service gives the same token twice. */
type UsableToken = { ok: true; token: Secret; issue: string };
type TokenResult = UsableToken | { ok: false; fault: Fault };

type Options = {
  clock: MonotonicClock;
  /** How many connections to remember at most. */
  atMost: number;
  /** How long a 401 of the token operation is believed, milliseconds. */
  rejectionMs: number;
  /** Called with the origin of each token that was requested. */
  observe: CallObserver["token"];
  /** One exchange with its own deadline and retries; never ends early because one caller does. */
  exchange: (
    connection: PartnerConnection,
    context: CallContext,
  ) => Promise<Judgement<IssuedToken>>;
};

/** The first caller; all who come while the exchange is in flight share its result. */
type CallContext = Pick<CallOptions, "requestId" | "background">;

type Flight = { connectionId: string; forgotten: boolean; result: Promise<TokenResult> };

/** How the last exchange of a connection ended, and until when that may be relied on. */
type CacheEntry = { version: number; credentials: string; result: TokenResult; until: number };

/**
 * The tokens of all connections, in this process: one exchange at a time for each, with one result for all who wait.
 * Ages are checked on reading and by a clock that nobody sets.
 */
export class TokenSource {
  readonly #flights = new Map<string, Flight>();
  /** By connection id, the least recently used first. One version each: an edit makes the older one useless. */
  readonly #kept = new Map<string, CacheEntry>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A token to use now: a kept one, or that of the exchange in flight, or that of a new one. */
  async get(
    connection: PartnerConnection,
    deadline: Deadline,
    context: CallContext,
  ): Promise<TokenResult> {
    const { observe } = this.#options;
    const kept = this.#find(connection);
    if (kept) observe(kept.ok ? "kept" : "refused");
    if (kept) return kept;
    const name = JSON.stringify([connection.id, credentialsOf(connection)]);
    const shared = this.#flights.get(name);
    observe(shared ? "shared" : "exchanged");
    const flight = shared ?? this.#start(name, connection, context);
    const ended = await deadline.race(flight.result);
    return ended.inTime
      ? ended.value
      : { ok: false, fault: makeFault("upstream_timeout", "token") };
  }

  /** A token other than a refused one. A second caller gets the first one's. */
  async replace(
    connection: PartnerConnection,
    refused: UsableToken,
    deadline: Deadline,
    context: CallContext,
  ): Promise<TokenResult> {
    const kept = this.#find(connection);
    if (kept?.ok && kept.issue === refused.issue) this.#kept.delete(connection.id);
    return this.get(connection, deadline, context);
  }

  forget(connectionId: string): void {
    for (const [name, flight] of this.#flights) {
      if (flight.connectionId !== connectionId) continue;
      flight.forgotten = true;
      this.#flights.delete(name);
    }
    this.#kept.delete(connectionId);
  }

  #find(connection: PartnerConnection): TokenResult | null {
    const found = this.#kept.get(connection.id);
    if (found?.credentials !== credentialsOf(connection)) return null;
    this.#kept.delete(connection.id);
    const remainingMs = found.until - this.#options.clock();
    if (remainingMs <= 0) return null;
    this.#kept.set(connection.id, found);
    const { result } = found;
    if (result.ok) return result;
    return { ok: false, fault: { ...result.fault, retryAfter: Math.ceil(remainingMs / 1_000) } };
  }

  #keep(connection: PartnerConnection, result: TokenResult, lifeMs: number): void {
    const { id, version } = connection;
    const before = this.#kept.get(id);
    // A request that began before an edit does not undo it.
    if (lifeMs <= 0 || (before && before.version > version)) return;
    const until = this.#options.clock() + lifeMs;
    this.#kept.delete(id);
    this.#kept.set(id, { version, credentials: credentialsOf(connection), result, until });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#options.atMost && oldest !== undefined) this.#kept.delete(oldest);
  }

  #start(name: string, connection: PartnerConnection, context: CallContext): Flight {
    const flight: Flight = {
      connectionId: connection.id,
      forgotten: false,
      result: Promise.resolve()
        .then(() => this.#exchange(flight, connection, context))
        .finally(() => {
          if (this.#flights.get(name) === flight) this.#flights.delete(name);
        }),
    };
    this.#flights.set(name, flight);
    return flight;
  }

  async #exchange(
    flight: Flight,
    connection: PartnerConnection,
    context: CallContext,
  ): Promise<TokenResult> {
    const { clock, rejectionMs, exchange } = this.#options;
    const keep = (result: TokenResult, lifeMs: number) => {
      if (!flight.forgotten) this.#keep(connection, result, lifeMs);
      return result;
    };
    const askedAt = clock();
    const answer = await exchange(connection, context);
    if (answer.kind === "failed") return { ok: false, fault: answer.fault };
    if (answer.kind === "done") {
      const { token, reusableForMs } = answer.value;
      // Its life began at the latest when we got it, at the earliest when we requested it.
      return keep({ ok: true, token, issue: randomUUID() }, reusableForMs - (clock() - askedAt));
    }
    const fault = { ...answer.fault, retryAfter: Math.ceil(rejectionMs / 1_000) };
    return keep({ ok: false, fault }, rejectionMs);
  }
}

/** Also of the service and client: a changed base address must not get the token of the one before. */
export function credentialsOf({ version, baseUrl, clientId }: PartnerConnection): string {
  return JSON.stringify([version, baseUrl, clientId]);
}
