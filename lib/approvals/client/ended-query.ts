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

export const approvalKeys = {
  waiting: ({ partner, environment }: EnvironmentParams) =>
    ["approvals-waiting", partner, environment] as const,
};

/** How many wait for approval here, for the navigation. */
export function waitingQuery({ partner, environment }: EnvironmentParams) {
  const path = apiPath("partners", partner, environment, "proposals");
  return queryOptions<number, ReadFailure>({
    queryKey: approvalKeys.waiting({ partner, environment }),
    queryFn: async ({ signal }) =>
      (await readJson(path, { timeout, signal, parse: waitingIn })).waiting,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}

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

/** Every page reads this number, so it avoids the 20 KB of the schemas. */
function waitingIn(body: unknown): Pick<EndedList, "waiting"> | undefined {
  const waiting: unknown = body instanceof Object && "waiting" in body ? body.waiting : undefined;
  return Number.isSafeInteger(waiting) ? { waiting: Number(waiting) } : undefined;
}
