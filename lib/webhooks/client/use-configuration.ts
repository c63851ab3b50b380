"use client";

import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answeredOnThisClock, configurationQuery, keepFromPage } from "./query";

/**
 * The configuration that came with the page, or what the browser has read since, whichever is newer. `old`: it cannot be
 * confirmed now, so nobody should change it.
 */
export function useConfiguration(
  given: Configuration,
  /** What the server is still reading; null from it: it could not. */
  reading: Promise<Configuration | null> | null,
) {
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
  const [ended, setEnded] = useState<typeof reading>(null);
  const isAwaited = reading !== ended;
  useEffect(() => {
    let isOver = false;
    const take = async () => {
      const read = await Promise.resolve(reading).catch(() => null);
      if (read) keepFromPage(client, read);
      else if (!isOver) await refetch();
      if (!isOver) setEnded(reading);
    };
    if (isAwaited) void take();
    return () => void (isOver = true);
  }, [client, reading, isAwaited, refetch]);
  const failure = error?.failure ?? null;
  return {
    configuration: data,
    /** Why the last attempt to read it again failed. */
    failure,
    asking: isFetching || isAwaited,
    /** The page came with what was known, and the server reads for it. */
    isAwaited,
    old: data.stale || failure !== null || noNetwork,
    refresh: async () => {
      const now = await refetch();
      return now.isSuccess && !now.data.stale;
    },
  };
}
