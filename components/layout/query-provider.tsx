"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

/** Milliseconds for which data is fresh; refocusing the window after that refetches it. */
const staleTime = 30_000;

/** Attempts after the first, if the request never arrived. */
const maxRetries = 2;

/** One client per page load, and per request on the server, so that people never share cached data. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { staleTime, refetchOnWindowFocus: true, retry: neverArrived },
          mutations: { retry: false },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/**
 * Error responses are not retried: the server has already retried what was worth it. `fetch` rejects with a TypeError
 * only if there was no response.
 */
function neverArrived(failures: number, error: Error): boolean {
  return error instanceof TypeError && failures < maxRetries;
}
