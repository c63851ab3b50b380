import { apiPath, readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { queryOptions } from "@tanstack/react-query";
import { connectionSchema, type Connection } from "@/lib/connection/model/connection";

/** Query keys of this feature's data in the browser. */
export const connectionKeys = {
  connection: (partner: string, environment: string) =>
    ["connection", partner, environment] as const,
};

/** The route only reads the database. */
const readTimeout = 10_000;

/** How Gancho signs in to the payment service for one partner in one environment. */
export function connectionQuery(partner: string, environment: string) {
  return queryOptions<Connection, ReadFailure>({
    queryKey: connectionKeys.connection(partner, environment),
    queryFn: ({ signal }) =>
      readJson(apiPath("partners", partner, environment, "connection"), {
        timeout: readTimeout,
        signal,
        parse: (body) => connectionSchema.safeParse(body).data,
      }),
  });
}
