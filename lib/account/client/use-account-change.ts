"use client";

import { sendJson, type Sent } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";

/** Milliseconds. */
const timeout = 15_000;

export type AccountChange = {
  /** After `/api/account/`. */
  path: string;
  method?: "POST" | "PUT" | "DELETE";
  body: unknown;
};

type Shape<Answer> = { safeParse: (body: unknown) => { data?: Answer | undefined } };

/** Changes the account and parses the answer with `shape`. Never throws. */
export function changeAccount<Answer>(
  { path, method = "POST", body }: AccountChange,
  shape: Shape<Answer>,
): Promise<Sent<Answer>> {
  const parse = (given: unknown) => shape.safeParse(given).data;
  return sendJson(`/api/account/${path}`, { method, body, timeout, parse });
}

/** The same from a screen. */
export function useAccountChange<Answer>(shape: Shape<Answer>) {
  return useApiMutation((change: AccountChange) => changeAccount(change, shape), {
    refreshes: true,
  });
}
