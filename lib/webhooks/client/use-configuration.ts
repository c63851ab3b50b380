"use client";

import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { answeredOnThisClock, configurationQuery, keepFromPage } from "./query";

/**
 * The configuration that came with the page, or what the browser has read since, whichever is newer. `old`: it cannot be
 * confirmed now, so nobody should change it.
 */
export function useConfiguration(given: Configuration) {
  const client = useQueryClient();
  const noNetwork = useNoNetwork();
  const { data, error, isFetching, refetch } = useQuery({
    ...configurationQuery(given.partner, given.environment),
    // Gives the first paint the configuration; then the query takes over.
    initialData: given,
    initialDataUpdatedAt: () => answeredOnThisClock(given),
  });
  // Where the query already has data, the newer of the two stays.
  useEffect(() => keepFromPage(client, given), [client, given]);
  const failure = error?.failure ?? null;
  return {
    configuration: data,
    /** Why the last attempt to read it again failed. */
    failure,
    asking: isFetching,
    old: data.stale || failure !== null || noNetwork,
    refresh: async () => {
      const now = await refetch();
      return now.isSuccess && !now.data.stale;
    },
  };
}
