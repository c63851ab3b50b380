"use client";

import type { AlertSettings } from "@/lib/alerts/model/choices";
import { sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";

/** Milliseconds. */
const timeout = 15_000;

/** Changes which alerts the person gets by mail, and in which language. */
export function useAlertSettings() {
  return useApiMutation(
    (settings: AlertSettings) =>
      sendJson("/api/account/alerts", {
        method: "PUT",
        body: settings,
        timeout,
        parse: () => true,
      }),
    { refreshes: true },
  );
}
