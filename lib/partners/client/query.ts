import {
  maxSearchLength,
  partnerSorts,
  partnerStatuses,
  type PartnerSort,
  type PartnerStatus,
} from "@/lib/partners/model/partner-state";

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
