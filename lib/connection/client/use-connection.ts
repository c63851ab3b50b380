"use client";

import { apiPath, fetchJson, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { useQueryClient } from "@tanstack/react-query";
import { readReplaceAnswer } from "./answers";
import { connectionSchema, type Connection } from "@/lib/connection/model/connection";
import { connectionQuery } from "./query";
import type { ConnectionRequest } from "@/lib/connection/model/request";

/** The server calls the payment service for up to 10 s, and waits for a save for up to 4 s. */
const timeout = 20_000;

const parse = (body: unknown) => connectionSchema.safeParse(body).data;

/** Sends new credentials, once. The connection in the answer goes to the screen at once. */
export function useReplace(partner: string, environment: string) {
  const store = useStore(partner, environment);
  return useApiMutation(
    async (body: ConnectionRequest) => {
      const path = apiPath("partners", partner, environment, "connection");
      return readReplaceAnswer(await fetchJson(path, { method: "PUT", body, timeout }));
    },
    { onAnswer: (answer) => store("connection" in answer ? answer.connection : null) },
  );
}

/** Checks the credentials in use. */
export function useCheck(partner: string, environment: string) {
  const store = useStore(partner, environment);
  return useApiMutation(
    () => {
      const path = apiPath("partners", partner, environment, "connection", "check");
      return sendJson(path, { body: {}, timeout, parse });
    },
    { onAnswer: (answer) => store(answer.kind === "done" ? answer.result : null) },
  );
}

/** Approves, rejects or withdraws the waiting proposal; the screen then shows the current state. */
export function useDecideCredentials(partner: string, environment: string) {
  const store = useStore(partner, environment);
  return async (proposal: string, decision: Decision) => {
    const path = apiPath("partners", partner, environment, "proposals", proposal);
    const answer = await sendJson(path, { body: decision, timeout, parse });
    await store(answer.kind === "done" ? answer.result : null);
    return answer;
  };
}

function useStore(partner: string, environment: string) {
  const client = useQueryClient();
  const { queryKey } = connectionQuery(partner, environment);
  return async (connection: Connection | null) => {
    // A read that began earlier must not overwrite this answer.
    await client.cancelQueries({ queryKey });
    if (connection) client.setQueryData(queryKey, connection);
    else await client.invalidateQueries({ queryKey });
  };
}
