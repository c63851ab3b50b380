"use client";

import type { EndpointCheck, LastChecks } from "@/lib/endpoint-check/model/check";
import type { DailyCheck } from "@/lib/endpoint-check/model/daily";
import type { CheckRequest } from "@/lib/endpoint-check/model/request";
import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useQueryClient } from "@tanstack/react-query";
import { endpointCheckKeys, type EnvironmentParams } from "./query";

/** The payment service has 10 s, a name server 3 s, and the receiver 10 s twice. */
const timeout = 40_000;

/** Checks an endpoint, without retries. The result for a registered address goes to its card at once. */
export function useEndpointCheck({ partner, environment }: EnvironmentParams) {
  const client = useQueryClient();
  const queryKey = endpointCheckKeys.last({ partner, environment });
  const check = useApiMutation(
    (body: CheckRequest) =>
      sendJson(apiPath("partners", partner, environment, "endpoint-checks"), {
        body,
        timeout,
        parse: async (answer) => {
          const { endpointCheckSchema } = await import("@/lib/endpoint-check/model/check");
          return endpointCheckSchema.safeParse(answer).data;
        },
      }),
    {
      onAnswer: async (answer) => {
        const found = answer.kind === "done" ? answer.result : null;
        // These say less than what the card already shows.
        if (!found || found.typed || found.withheld === "support") return;
        await client.cancelQueries({ queryKey });
        client.setQueriesData<LastChecks>(
          { queryKey },
          (before) =>
            before && {
              ...before,
              checks: [...before.checks.filter(({ type }) => type !== found.type), found],
            },
        );
        // This check says nothing about the rest, so what is not known yet is read.
        void client.invalidateQueries({ queryKey, predicate: ({ state }) => !state.data });
      },
    },
  );
  const result: EndpointCheck | null = check.answer?.kind === "done" ? check.answer.result : null;
  return { ...check, result };
}

/** The route only writes to the database. */
const switchTimeout = 10_000;

/** Has an endpoint checked every day, or no longer. */
export function useDailySwitch({ partner, environment }: EnvironmentParams) {
  return useApiMutation(
    (body: DailyCheck) =>
      sendJson(apiPath("partners", partner, environment, "endpoint-checks", "daily"), {
        method: "PUT",
        body,
        timeout: switchTimeout,
        parse: () => true,
      }),
    { invalidates: endpointCheckKeys.last({ partner, environment }) },
  );
}
