import "server-only";
import { createHash, randomUUID } from "node:crypto";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { Deadline, MonotonicClock } from "@/lib/platform/runtime/deadline";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { Judgement } from "@/lib/platform/payment-service/answers/judgement";
import { makeFault } from "@/lib/platform/payment-service/answers/make-fault";
import type { IssuedToken } from "./token-answer";
import type { TokenEntry, TokenKey, TokenStore } from "./token-store";
import type { CallObserver } from "@/lib/platform/payment-service/transport/call-log";
import type { CallOptions, PartnerConnection } from "@/lib/platform/payment-service/types";

type UsableToken = { ok: true; token: Secret; issue: string };
type TokenResult = UsableToken | { ok: false; fault: Fault };

type Options = {
  store: TokenStore;
  clock: MonotonicClock;
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

/** The tokens of all connections: one exchange at a time for each, with one result for all who wait. */
export class TokenSource {
  readonly #flights = new Map<string, Flight>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A token to use now: a stored one, or that of the exchange in flight, or that of a new one. */
  async get(
    connection: PartnerConnection,
    deadline: Deadline,
    context: CallContext,
  ): Promise<TokenResult> {
    const key = keyOf(connection);
    const { observe } = this.#options;
    const kept = await this.#kept(key);
    if (kept) observe(kept.ok ? "kept" : "refused");
    if (kept) return kept;
    const name = JSON.stringify([key.connectionId, key.version, key.service]);
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
    await this.#options.store.drop(keyOf(connection), refused.issue);
    return this.get(connection, deadline, context);
  }

  async forget(connectionId: string): Promise<void> {
    for (const [name, flight] of this.#flights) {
      if (flight.connectionId !== connectionId) continue;
      flight.forgotten = true;
      this.#flights.delete(name);
    }
    await this.#options.store.forget(connectionId);
  }

  async #kept(key: TokenKey): Promise<TokenResult | null> {
    const found = await this.#options.store.get(key);
    if (!found) return null;
    const { entry, remainingMs } = found;
    if (entry.kind === "token") return { ok: true, token: entry.token, issue: entry.issue };
    return { ok: false, fault: { ...entry.fault, retryAfter: Math.ceil(remainingMs / 1_000) } };
  }

  #start(name: string, connection: PartnerConnection, context: CallContext): Flight {
    const flight: Flight = {
      connectionId: connection.id,
      forgotten: false,
      result: Promise.resolve()
        .then(() => this.#inTurn(flight, connection, context))
        .finally(() => {
          if (this.#flights.get(name) === flight) this.#flights.delete(name);
        }),
    };
    this.#flights.set(name, flight);
    return flight;
  }

  /** One exchange at a time among all users of the store. */
  async #inTurn(
    flight: Flight,
    connection: PartnerConnection,
    context: CallContext,
  ): Promise<TokenResult> {
    const result = await this.#options.store.exclusively(keyOf(connection), () =>
      this.#exchange(flight, connection, context),
    );
    return result ?? { ok: false, fault: makeFault("upstream_timeout", "token") };
  }

  async #exchange(
    flight: Flight,
    connection: PartnerConnection,
    context: CallContext,
  ): Promise<TokenResult> {
    const { store, clock, rejectionMs, exchange } = this.#options;
    const key = keyOf(connection);
    // Another exchange may have ended since our caller read the store.
    const kept = await this.#kept(key);
    if (kept) return kept;

    const keep = async (entry: TokenEntry, lifeMs: number) => {
      if (!flight.forgotten) await store.set(key, entry, lifeMs);
    };
    const askedAt = clock();
    const answer = await exchange(connection, context);
    if (answer.kind === "done") {
      const { token, reusableForMs } = answer.value;
      const issue = randomUUID();
      // Its life began at the latest when we got it, at the earliest when we requested it.
      await keep({ kind: "token", token, issue }, reusableForMs - (clock() - askedAt));
      return { ok: true, token, issue };
    }
    if (answer.kind === "failed") return { ok: false, fault: answer.fault };
    const fault = { ...answer.fault, retryAfter: Math.ceil(rejectionMs / 1_000) };
    await keep({ kind: "rejected", fault }, rejectionMs);
    return { ok: false, fault };
  }
}

function keyOf({ id, partnerId, version, baseUrl, clientId }: PartnerConnection): TokenKey {
  const service = createHash("sha256")
    .update(JSON.stringify([baseUrl, clientId]))
    .digest("hex");
  return { connectionId: id, partnerId, version, service };
}
