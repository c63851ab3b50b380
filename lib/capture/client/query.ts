import type { Body, Captures } from "@/lib/capture/model/capture";
import { apiPath, readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { queryOptions } from "@tanstack/react-query";

export type EnvironmentParams = { partner: string; environment: string };

/** Query keys of this feature's data in the browser. */
export const captureKeys = {
  all: ({ partner, environment }: EnvironmentParams) => ["capture", partner, environment] as const,
};

/** Milliseconds. The routes only read the database. */
const readTimeout = 10_000;

/** How often an open page asks for what came, milliseconds. */
const askEvery = 3_000;

/** The receiving addresses of an environment; while one is on, the page asks again by itself. */
export function capturesQuery({ partner, environment }: EnvironmentParams) {
  return queryOptions<Captures, ReadFailure>({
    queryKey: captureKeys.all({ partner, environment }),
    queryFn: ({ signal }) =>
      readJson(apiPath("partners", partner, environment, "capture"), {
        timeout: readTimeout,
        signal,
        // Loaded on use: the first load has no schemas.
        parse: async (body) => {
          const { capturesSchema } = await import("@/lib/capture/model/capture");
          return capturesSchema.safeParse(body).data;
        },
      }),
    refetchInterval: ({ state: { data } }) => (data && data.captures.length > 0 ? askEvery : false),
  });
}

/** The body of one message, which does not change. `since`: of its address, to which the number belongs. */
export function bodyQuery(
  { partner, environment }: EnvironmentParams,
  { type, since, number }: { type: string; since: string; number: number },
) {
  return queryOptions<Body, ReadFailure>({
    queryKey: ["capture-body", partner, environment, type, since, number],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      readJson(
        apiPath("partners", partner, environment, "capture", "arrivals", `${type}.${number}`),
        {
          timeout: readTimeout,
          signal,
          parse: async (body) => {
            const { bodySchema } = await import("@/lib/capture/model/capture");
            return bodySchema.safeParse(body).data;
          },
        },
      ),
  });
}
