"use client";

import type { CloseIncident } from "@/lib/attention/model/close-incident";
import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { attentionKeys } from "./query";

/** Milliseconds. The route only uses the database. */
const timeout = 10_000;

export function useCloseIncident({
  partner,
  environment,
}: {
  partner: string;
  environment: string;
}) {
  return useApiMutation(
    (body: CloseIncident) =>
      sendJson(apiPath("partners", partner, environment, "incident"), {
        body,
        timeout,
        parse: () => true,
      }),
    { invalidates: attentionKeys.of(partner) },
  );
}
