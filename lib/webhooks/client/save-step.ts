import { apiPath, readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { operationStepSchema, type SaveStep } from "@/lib/webhooks/model/configuration";
import { queryOptions } from "@tanstack/react-query";
import { webhookKeys } from "./query";

/** The route only reads the process's memory. */
const timeout = 3_000;

/** Most saves end before the first request. */
const askEvery = 700;

/** The step of a save that this page waits for; null while or where it is unknown. */
export function saveStepQuery(
  { partner, environment }: { partner: string; environment: string },
  operation: string,
) {
  const path = apiPath("partners", partner, environment, "operations", operation, "step");
  return queryOptions<SaveStep | null, ReadFailure>({
    queryKey: webhookKeys.step(partner, environment, operation),
    queryFn: async ({ signal }) => {
      const parse = (body: unknown) => operationStepSchema.safeParse(body).data;
      return (await readJson(path, { timeout, signal, parse })).step;
    },
    initialData: null,
    // Read by the interval alone, and never again once the save is over.
    staleTime: Infinity,
    refetchInterval: askEvery,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}
