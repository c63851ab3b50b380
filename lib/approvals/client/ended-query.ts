import {
  apiPath,
  fetchJson,
  type RequestFailure,
  readJson,
  type ReadFailure,
} from "@/lib/platform/http/client/fetch-json";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Dismissed, EndedList } from "@/lib/approvals/model/ended-proposals";

/** Milliseconds. The route only reads the database. */
const timeout = 10_000;

type EnvironmentParams = { partner: string; environment: string };

/** `waiting`: their waiting proposals as the screen shows them; once one no longer waits, this query runs again. */
export function endedQuery(
  { partner, environment }: EnvironmentParams,
  waiting: readonly string[],
) {
  return queryOptions<EndedList, ReadFailure>({
    queryKey: ["ended-proposals", partner, environment, waiting.join()],
    queryFn: ({ signal }) =>
      readJson(apiPath("partners", partner, environment, "proposals"), {
        timeout,
        signal,
        parse,
      }),
    placeholderData: keepPreviousData,
    // The save of an approved change may still end; credentials are proposed and approved on another page.
    refetchInterval: ({ state: { data } }) => (data?.ended.length ? 10_000 : 60_000),
  });
}

/** Dismisses it for good; null on success. */
export async function dismissEnded(
  { partner, environment }: EnvironmentParams,
  proposal: string,
): Promise<RequestFailure | null> {
  const path = apiPath("partners", partner, environment, "proposals", proposal);
  const body: Dismissed = { dismissed: true };
  const answer = await fetchJson(path, { method: "PATCH", body, timeout });
  return answer.kind === "ok" ? null : answer;
}

/** The first data comes with the page, so the schema and its library are loaded later. */
async function parse(body: unknown): Promise<EndedList | undefined> {
  const { endedSchema } = await import("@/lib/approvals/model/ended-proposals");
  return endedSchema.safeParse(body).data;
}
