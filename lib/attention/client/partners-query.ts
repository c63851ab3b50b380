import type { AttentionPage } from "@/lib/attention/model/partners";
import { filterParams, partnerKeys, type PartnerFilter } from "@/lib/partners/client/query";
import { readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { infiniteQueryOptions, type InfiniteData } from "@tanstack/react-query";

/** Milliseconds. The route only reads the database. */
const readTimeout = 10_000;

/** The list of partners, page by page. */
export function partnersQuery(filter: PartnerFilter) {
  return infiniteQueryOptions<
    AttentionPage,
    ReadFailure,
    InfiniteData<AttentionPage, string | null>,
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
          const { attentionPageSchema } = await import("@/lib/attention/model/partners");
          return attentionPageSchema.safeParse(body).data;
        },
      }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

function partnersPath(filter: PartnerFilter, cursor: string | null): string {
  const params = filterParams(filter);
  if (cursor !== null) params.set("cursor", cursor);
  return `/api/partners?${params}`;
}
