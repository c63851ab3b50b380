import { readJson, type ReadFailure } from "@/lib/platform/http/client/read-json";
import type { Band } from "@/lib/watch/model/band";
import type { Overview } from "@/lib/watch/model/overview";
import { infiniteQueryOptions, queryOptions, type InfiniteData } from "@tanstack/react-query";

/** Query keys of this feature's data in the browser. */
export const watchKeys = {
  band: (partner: string, environment: string) => ["readings", partner, environment] as const,
  overview: (environment: string) => ["overview", environment] as const,
};

/** Milliseconds. Only the database is asked. */
const timeout = 10_000;

/** What each of the last sixty days came to; its last day grows while the page is open. */
export function bandQuery(partner: string, environment: string) {
  const path = ["partners", partner, environment, "readings"].map(encodeURIComponent).join("/");
  return queryOptions<Band, ReadFailure>({
    queryKey: watchKeys.band(partner, environment),
    queryFn: ({ signal }) =>
      readJson(`/api/${path}`, {
        timeout,
        signal,
        // It comes with the page, so the schema is not part of its first load.
        parse: async (body) =>
          (await import("@/lib/watch/model/band")).bandSchema.safeParse(body).data,
      }),
    retry: false,
    staleTime: 60_000,
    refetchInterval: 5 * 60_000,
  });
}

/** How an environment is; what needs attention a page after the other. */
export function overviewQuery(environment: string) {
  return infiniteQueryOptions<
    Overview,
    ReadFailure,
    InfiniteData<Overview, string | null>,
    ReturnType<typeof watchKeys.overview>,
    string | null
  >({
    queryKey: watchKeys.overview(environment),
    queryFn: ({ pageParam, signal }) => {
      const params = new URLSearchParams({
        environment,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      });
      return readJson(`/api/overview?${params}`, {
        timeout,
        signal,
        parse: async (body) =>
          (await import("@/lib/watch/model/overview")).overviewSchema.safeParse(body).data,
      });
    },
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    retry: false,
    refetchInterval: 60_000,
  });
}
