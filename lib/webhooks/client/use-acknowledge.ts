"use client";

import { sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { Acknowledgement } from "@/lib/webhooks/model/outside";
import * as z from "zod/mini";
import { webhookKeys } from "./query";

const acknowledgedSchema = z.object({});

/** Milliseconds. The route only reads the database. */
const timeout = 10_000;

/** Acknowledges a change made outside Gancho; the configuration is read again. */
export function useAcknowledge({ partner, environment }: { partner: string; environment: string }) {
  const path = ["partners", partner, environment, "outside"].map(encodeURIComponent).join("/");
  return useApiMutation(
    (body: Acknowledgement) =>
      sendJson(`/api/${path}`, {
        body,
        timeout,
        parse: (answer) => acknowledgedSchema.safeParse(answer).data,
      }),
    { invalidates: webhookKeys.configuration(partner, environment) },
  );
}
