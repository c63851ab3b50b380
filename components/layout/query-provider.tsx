"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

/** Milliseconds for which data counts as fresh; refocusing the window later reads it again. */
const staleTime = 30_000;

/** Attempts after the first, where the request never arrived. */
const maxRetries = 2;

/** One client per page load, and per request on the server, so that nobody sees what another person read. */
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
 * An answer is an answer, also a bad one: the server has already retried what was worth it. `fetch` rejects with a
 * TypeError, and only then, when there was none.
 */
function neverArrived(failures: number, error: Error): boolean {
  return error instanceof TypeError && failures < maxRetries;
}
