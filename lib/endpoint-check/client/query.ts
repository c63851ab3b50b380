import type { LastChecks } from "@/lib/endpoint-check/model/check";
import { readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
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
export function lastChecksQuery(environmentRef: EnvironmentParams, revision: string | null) {
  return queryOptions<LastChecks, ReadFailure>({
    queryKey: [...endpointCheckKeys.last(environmentRef), revision],
    queryFn: ({ signal }) =>
      readJson(checksPath(environmentRef), {
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

export function checksPath({ partner, environment }: EnvironmentParams): string {
  const parts = ["partners", partner, environment, "endpoint-checks"].map(encodeURIComponent);
  return `/api/${parts.join("/")}`;
}
