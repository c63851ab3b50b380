import type { Attention } from "@/lib/attention/model/answer";
import { apiPath, readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { queryOptions } from "@tanstack/react-query";

/** Milliseconds. The route only reads the database. */
const timeout = 10_000;

export const attentionKeys = {
  of: (partner: string) => ["attention", partner] as const,
};

/** What needs attention at a partner. Read again every minute, and whenever the page has news. */
export function attentionQuery(partner: string) {
  return queryOptions<Attention, ReadFailure>({
    queryKey: attentionKeys.of(partner),
    queryFn: ({ signal }) =>
      readJson(apiPath("partners", partner, "attention"), {
        timeout,
        signal,
        // The first data comes with the page, so the schema and its library are loaded later.
        parse: async (body) => {
          const { attentionSchema } = await import("@/lib/attention/model/answer");
          return attentionSchema.safeParse(body).data;
        },
      }),
    refetchInterval: 60_000,
  });
}
