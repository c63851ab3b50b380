"use client";

import { apiPath, fetchJson } from "@/lib/platform/http/client/fetch-json";
import { useQueryClient } from "@tanstack/react-query";
import { configurationQuery, keepConfiguration } from "./query";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { configurationIn, readSaveAnswer, type SaveAnswer } from "./save-answer";

/** The server ends a save within about 20 s; after this the answer counts as lost. */
const saveTimeout = 25_000;

/**
 * Saves, once. The configuration in the answer goes to the screen at once; where there is none, the screen reads it
 * again. Never throws.
 */
export function useSave({ partner, environment }: { partner: string; environment: string }) {
  const client = useQueryClient();
  const { queryKey } = configurationQuery(partner, environment);
  return async (request: SaveRequest): Promise<SaveAnswer> => {
    const path = apiPath("partners", partner, environment, "webhooks");
    const answer = readSaveAnswer(await fetchJson(path, { body: request, timeout: saveTimeout }));
    const configuration = configurationIn(answer);
    if (configuration) keepConfiguration(client, configuration);
    else if (answer.kind !== "unsent") void client.invalidateQueries({ queryKey });
    return answer;
  };
}
