import { fetchJson, type Failure } from "@/lib/fetch-json";
import { queryOptions } from "@tanstack/react-query";
import { connectionSchema, type Connection } from "./connection";
import { connectionKeys } from "./keys";

/** Thrown by the query: why the connection could not be had. */
export class ConnectionFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind === "problem" ? failure.problem.code : failure.kind);
    this.name = "ConnectionFailure";
    this.failure = failure;
  }
}

/** Only the database is asked. */
const readTimeout = 10_000;

/** How Gancho signs in to the payment service for one partner in one environment. */
export function connectionQuery(partner: string, environment: string) {
  return queryOptions<Connection, ConnectionFailure>({
    queryKey: connectionKeys.connection(partner, environment),
    queryFn: async ({ signal }) => {
      const path = connectionPath(partner, environment);
      const answer = await fetchJson(path, { timeout: readTimeout, signal });
      if (answer.kind !== "ok") throw new ConnectionFailure(answer);
      const connection = connectionSchema.safeParse(answer.body);
      if (!connection.success) throw new ConnectionFailure({ kind: "no_answer" });
      return connection.data;
    },
    retry: false,
  });
}

export function connectionPath(partner: string, environment: string): string {
  return `/api/partners/${encodeURIComponent(partner)}/${encodeURIComponent(environment)}/connection`;
}
