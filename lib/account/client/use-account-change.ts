"use client";

import { sendJson } from "@/lib/platform/http/client/send-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";

/** Milliseconds. */
const timeout = 15_000;

export type AccountChange = {
  /** After `/api/account/`. */
  path: string;
  method?: "POST" | "PUT" | "DELETE";
  body: unknown;
};

/** Changes the account, as `answer` reads what came of it. */
export function useAccountChange<Answer>(answer: {
  safeParse: (body: unknown) => { data?: Answer | undefined };
}) {
  return useApiMutation(
    ({ path, method = "POST", body }: AccountChange) =>
      sendJson(`/api/account/${path}`, {
        method,
        body,
        timeout,
        parse: (given) => answer.safeParse(given).data,
      }),
    { refreshes: true },
  );
}
