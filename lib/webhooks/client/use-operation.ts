"use client";

import { fetchJson } from "@/lib/platform/http/client/fetch-json";
import { useQueryClient } from "@tanstack/react-query";
import { keepConfiguration } from "./query";
import type { OperationAnswer } from "./save-answer";

/** The server asks the payment service again, for about 10 s. */
const checkTimeout = 15_000;

const failed: OperationAnswer = { kind: "failed", problem: null };

/** Asks what became of a save, by its id. Nothing is sent to the service but a question. Never throws. */
export function useOperation(partner: string, environment: string) {
  const client = useQueryClient();
  const environmentPath = ["partners", partner, environment].map(encodeURIComponent).join("/");
  return async (operation: string): Promise<OperationAnswer> => {
    const path = `/api/${environmentPath}/operations/${encodeURIComponent(operation)}`;
    const answer = await ask(path).catch(() => failed);
    const configuration = "result" in answer ? answer.result.configuration : null;
    const known = "configuration" in answer ? answer.configuration : configuration;
    if (known) keepConfiguration(client, known);
    return answer;
  };
}

/** What reads the answer is not part of a page's first load, and may not arrive. */
async function ask(path: string): Promise<OperationAnswer> {
  const answer = await fetchJson(path, { timeout: checkTimeout });
  const { readOperationAnswer } = await import("./save-answer");
  return readOperationAnswer(answer);
}
