"use client";

import { fetchJson, type Failure } from "@/lib/platform/http/client/fetch-json";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  readCheckAnswer,
  readReplaceAnswer,
  type CheckAnswer,
  type ReplaceAnswer,
} from "./answers";
import { connectionSchema, type Connection } from "@/lib/connection/model/connection";
import { connectionPath, connectionQuery } from "./query";
import type { ConnectionRequest } from "@/lib/connection/model/request";

/** The server asks the payment service for up to 10 s, and waits for a save for up to 4 s. */
const timeout = 20_000;

/** A request lives in the mutation's state otherwise, and with it the secret; and nothing is sent later by itself. */
const once = { retry: false, gcTime: 0, networkMode: "always" } as const;

/** Sends new credentials, once. What the answer says of the connection goes to the screen at once. */
export function useReplace(partner: string, environment: string) {
  const store = useStore(partner, environment);
  return useMutation({
    ...once,
    mutationFn: async (body: ConnectionRequest): Promise<ReplaceAnswer> =>
      readReplaceAnswer(
        await fetchJson(connectionPath(partner, environment), { method: "PUT", body, timeout }),
      ),
    onSuccess: (answer) => store("connection" in answer ? answer.connection : null),
  });
}

/** Has the credentials in use tried. */
export function useCheck(partner: string, environment: string) {
  const store = useStore(partner, environment);
  return useMutation({
    ...once,
    mutationFn: async (): Promise<CheckAnswer> => {
      const path = `${connectionPath(partner, environment)}/check`;
      return readCheckAnswer(await fetchJson(path, { body: {}, timeout }));
    },
    onSuccess: (answer) => store(answer.kind === "checked" ? answer.connection : null),
  });
}

type CredentialsDecided =
  { kind: "decided"; connection: Connection } | { kind: "failed"; failure: Failure };

/** Approves, rejects or withdraws what waits, once; whatever came of it, the screen shows what is so afterwards. */
export function useDecideCredentials(partner: string, environment: string) {
  const store = useStore(partner, environment);
  return async (proposal: string, decision: Decision): Promise<CredentialsDecided> => {
    const path = ["partners", partner, environment, "proposals", proposal].map(encodeURIComponent);
    const answer = await fetchJson(`/api/${path.join("/")}`, { body: decision, timeout });
    const connection = answer.kind === "ok" ? connectionSchema.safeParse(answer.body).data : null;
    await store(connection ?? null);
    if (connection) return { kind: "decided", connection };
    return { kind: "failed", failure: answer.kind === "ok" ? { kind: "no_answer" } : answer };
  };
}

function useStore(partner: string, environment: string) {
  const client = useQueryClient();
  const { queryKey } = connectionQuery(partner, environment);
  return async (connection: Connection | null) => {
    // A look that began before must not put its older answer over this one.
    await client.cancelQueries({ queryKey });
    if (connection) client.setQueryData(queryKey, connection);
    else await client.invalidateQueries({ queryKey });
  };
}
