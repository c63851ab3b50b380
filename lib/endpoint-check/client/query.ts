import type { LastChecks } from "@/lib/endpoint-check/model/check";
import { apiPath, readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { queryOptions } from "@tanstack/react-query";

/** Query keys of this feature's data in the browser. */
export const endpointCheckKeys = {
  /** Of any revision of the configuration. */
  last: ({ partner, environment }: EnvironmentParams) =>
    ["endpoint-checks", partner, environment] as const,
};

/** The route only reads the database. */
const readTimeout = 10_000;

export type EnvironmentParams = { partner: string; environment: string };

/**
 * The last check of each registered address. A new revision is read anew: a check of an address that was typed counts
 * for the card once that address is saved.
 */
export function lastChecksQuery(
  { partner, environment }: EnvironmentParams,
  revision: string | null,
) {
  return queryOptions<LastChecks, ReadFailure>({
    queryKey: [...endpointCheckKeys.last({ partner, environment }), revision],
    queryFn: ({ signal }) =>
      readJson(apiPath("partners", partner, environment, "endpoint-checks"), {
        timeout: readTimeout,
        signal,
        // Loaded on use: the first load has no schemas.
        parse: async (body) => {
          const { lastChecksSchema } = await import("@/lib/endpoint-check/model/check");
          return lastChecksSchema.safeParse(body).data;
        },
      }),
  });
}
