"use client";

import { fetchJson } from "@/lib/fetch-json";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Configuration } from "./configuration";
import { configurationQuery, keepConfiguration, webhooksPath } from "./query";
import type { SaveRequest } from "./rules/save-request";
import {
  readOperationAnswer,
  readSaveAnswer,
  type OperationAnswer,
  type SaveAnswer,
} from "./save-answer";

/** The server ends a save within about 20 s; after this the answer is taken to be lost. */
const saveTimeout = 25_000;

/** The server asks the payment service anew, for about 10 s. */
const checkTimeout = 15_000;

/**
 * Saves, once: never retried by itself. What the answer says of the configuration goes to the screen at once;
 * where it says nothing, the screen asks anew.
 */
export function useSave(partner: string, environment: string) {
  const client = useQueryClient();
  const { queryKey } = configurationQuery(partner, environment);

  return useMutation({
    retry: false,
    // The request lives in the mutation's state otherwise, and with it the secret.
    gcTime: 0,
    // "Paused while offline" would send it later, when nobody expects it any more.
    networkMode: "always",
    mutationFn: async (request: SaveRequest): Promise<SaveAnswer> => {
      const body = { body: request, timeout: saveTimeout };
      return readSaveAnswer(await fetchJson(webhooksPath(partner, environment), body));
    },
    onSuccess: (answer) => {
      const configuration = configurationIn(answer);
      if (configuration) keepConfiguration(client, configuration);
      else if (answer.kind !== "fields" && answer.kind !== "confirm")
        void client.invalidateQueries({ queryKey });
    },
  });
}

/** Asks what became of a save, by its id. Nothing is sent to the service but a question. Never throws. */
export function useOperation(partner: string, environment: string) {
  const client = useQueryClient();
  const place = ["partners", partner, environment].map(encodeURIComponent).join("/");
  return async (operation: string): Promise<OperationAnswer> => {
    const path = `/api/${place}/operations/${encodeURIComponent(operation)}`;
    const answer = readOperationAnswer(await fetchJson(path, { timeout: checkTimeout }));
    const configuration = configurationIn(answer);
    if (configuration) keepConfiguration(client, configuration);
    return answer;
  };
}

function configurationIn(answer: SaveAnswer | OperationAnswer): Configuration | null {
  if ("result" in answer) return answer.result.configuration;
  return "configuration" in answer ? answer.configuration : null;
}
