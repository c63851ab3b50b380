"use client";

import { apiPath, fetchJson } from "@/lib/platform/http/client/fetch-json";
import { useQueryClient } from "@tanstack/react-query";
import { keepConfiguration } from "./query";
import type { OperationAnswer } from "./save-answer";

/** The server reads the payment service again, for about 10 s. */
const checkTimeout = 15_000;

/** Reads the outcome of a save, by its id. Sends the service nothing but reads. Never throws. */
export function useOperation({ partner, environment }: { partner: string; environment: string }) {
  const client = useQueryClient();
  return async (operation: string): Promise<OperationAnswer> => {
    const path = apiPath("partners", partner, environment, "operations", operation);
    const answer = await ask(path).catch((): OperationAnswer => ({
      kind: "failed",
      failure: { kind: "no_answer" },
    }));
    const configuration = "result" in answer ? answer.result.configuration : null;
    const shown = "configuration" in answer ? answer.configuration : configuration;
    if (shown) keepConfiguration(client, shown);
    return answer;
  };
}

/** Loads the code that parses the answer on use, which may fail. */
async function ask(path: string): Promise<OperationAnswer> {
  const answer = await fetchJson(path, { timeout: checkTimeout });
  const { readOperationAnswer } = await import("./save-answer");
  return readOperationAnswer(answer);
}
