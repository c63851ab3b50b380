"use client";

import { fetchJson } from "@/lib/platform/http/client/fetch-json";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { configurationQuery, keepConfiguration, webhooksPath } from "./query";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { readSaveAnswer, type SaveAnswer } from "./save-answer";

/** The server ends a save within about 20 s; after this the answer is taken to be lost. */
const saveTimeout = 25_000;

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
      else if (!["fields", "confirm", "unsent"].includes(answer.kind))
        void client.invalidateQueries({ queryKey });
    },
  });
}

function configurationIn(answer: SaveAnswer): Configuration | null {
  if ("result" in answer) return answer.result.configuration;
  return "configuration" in answer ? answer.configuration : null;
}
