"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

/** Milliseconds for which data is fresh; refocusing the window after that refetches it. */
const staleTime = 30_000;

/** One client per page load, and per request on the server, so that people never share cached data. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // The server retries: it knows when that is useful.
          queries: { staleTime, refetchOnWindowFocus: true, retry: false },
          mutations: { retry: false },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
