import { readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { infiniteQueryOptions, type InfiniteData } from "@tanstack/react-query";
import {
  maxSearchLength,
  partnerSorts,
  partnerStatuses,
  type PartnerSort,
  type PartnerStatus,
} from "@/lib/partners/model/partner-state";
import type { PartnerPage } from "@/lib/partners/model/page";

/** The list's filters. */
export type PartnerFilter = {
  search: string;
  status: PartnerStatus | null;
  /** null: by id. */
  sort: PartnerSort | null;
  environment: string;
};

/** Query keys of the list of partners in the browser. */
export const partnerKeys = {
  lists: ["partners"] as const,
  list: ({ search, status, sort, environment }: PartnerFilter) =>
    [...partnerKeys.lists, environment, status, sort, search] as const,
};

/** Milliseconds. The route only reads the database. */
const readTimeout = 10_000;

/** The list of partners, page by page. */
export function partnersQuery(filter: PartnerFilter) {
  return infiniteQueryOptions<
    PartnerPage,
    ReadFailure,
    InfiniteData<PartnerPage, string | null>,
    ReturnType<typeof partnerKeys.list>,
    string | null
  >({
    queryKey: partnerKeys.list(filter),
    queryFn: ({ pageParam, signal }) =>
      readJson(partnersPath(filter, pageParam), {
        timeout: readTimeout,
        signal,
        // The first list comes with the page, so the schema and its library are loaded later.
        parse: async (body) => {
          const { partnerPageSchema } = await import("@/lib/partners/model/page");
          return partnerPageSchema.safeParse(body).data;
        },
      }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Also the query of the list's own page, so that people can share a search. */
export function filterParams({
  search,
  status,
  sort,
  environment,
}: PartnerFilter): URLSearchParams {
  return new URLSearchParams({
    ...(search === "" ? {} : { search }),
    ...(status === null ? {} : { status }),
    ...(sort === null ? {} : { sort }),
    environment,
  });
}

/**
 * The filters in the query of the list's page. What is missing, truncated or mistyped filters nothing; without a known
 * environment, it is `main`.
 */
export function filterIn(
  params: URLSearchParams,
  environments: readonly string[],
  main: string,
): PartnerFilter {
  const search = params.get("search")?.trim() ?? "";
  return {
    search: search.length > maxSearchLength ? "" : search,
    status: partnerStatuses.find((status) => status === params.get("status")) ?? null,
    sort: partnerSorts.find((sort) => sort === params.get("sort")) ?? null,
    environment: environments.find((name) => name === params.get("environment")) ?? main,
  };
}

function partnersPath(filter: PartnerFilter, cursor: string | null): string {
  const params = filterParams(filter);
  if (cursor !== null) params.set("cursor", cursor);
  return `/api/partners?${params}`;
}
