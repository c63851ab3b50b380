import { fetchJson, type Failure } from "@/lib/fetch-json";
import { infiniteQueryOptions, type InfiniteData } from "@tanstack/react-query";
import { partnerKeys, type PartnerFilter } from "./keys";
import { partnerPageSchema, type PartnerPage } from "./page";

/** Thrown by the query: why the list could not be had. */
export class PartnerListFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind === "problem" ? failure.problem.code : failure.kind);
    this.name = "PartnerListFailure";
    this.failure = failure;
  }
}

/** Milliseconds. Nobody else is asked for it. */
const readTimeout = 10_000;

/** The list of partners, a page after the other. */
export function partnersQuery(filter: PartnerFilter) {
  return infiniteQueryOptions<
    PartnerPage,
    PartnerListFailure,
    InfiniteData<PartnerPage, string | null>,
    ReturnType<typeof partnerKeys.list>,
    string | null
  >({
    queryKey: partnerKeys.list(filter),
    queryFn: ({ pageParam, signal }) => readPage(partnersPath(filter, pageParam), signal),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    retry: false,
  });
}

/** The query of the list's own page, too, where it makes a search something to send to a colleague. */
export function filterParams({ search, status, environment }: PartnerFilter): URLSearchParams {
  return new URLSearchParams({
    ...(search === "" ? {} : { search }),
    ...(status === null ? {} : { status }),
    environment,
  });
}

function partnersPath(filter: PartnerFilter, cursor: string | null): string {
  const params = filterParams(filter);
  if (cursor !== null) params.set("cursor", cursor);
  return `/api/partners?${params}`;
}

async function readPage(path: string, signal: AbortSignal): Promise<PartnerPage> {
  const answer = await fetchJson(path, { timeout: readTimeout, signal });
  if (answer.kind !== "ok") throw new PartnerListFailure(answer);
  const page = partnerPageSchema.safeParse(answer.body);
  if (!page.success) throw new PartnerListFailure({ kind: "no_answer" });
  return page.data;
}
