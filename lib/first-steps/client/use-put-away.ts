"use client";

import type { PutAway } from "@/lib/first-steps/model/steps";
import { sendJson } from "@/lib/platform/http/client/send-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import * as z from "zod/mini";

const storedSchema = z.object({});

/** Milliseconds. Only the database is asked. */
const timeout = 10_000;

/** Puts the first steps of an environment away for this person, or brings them back. */
export function usePutAway({ partner, environment }: { partner: string; environment: string }) {
  const path = ["partners", partner, environment, "first-steps"].map(encodeURIComponent).join("/");
  return useApiMutation((body: PutAway) =>
    sendJson(`/api/${path}`, {
      ...{ method: "PUT", body, timeout },
      parse: (answer) => storedSchema.safeParse(answer).data,
    }),
  );
}
