"use client";

import type { DismissRequest } from "@/lib/first-steps/model/dismiss";
import { sendJson } from "@/lib/platform/http/client/send-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";

/** Milliseconds. The route only reads the database. */
const timeout = 10_000;

/** Dismisses the first steps of an environment for this person, or brings them back. */
export function useDismissFirstSteps({
  partner,
  environment,
}: {
  partner: string;
  environment: string;
}) {
  const path = ["partners", partner, environment, "first-steps"].map(encodeURIComponent).join("/");
  return useApiMutation((body: DismissRequest) =>
    sendJson(`/api/${path}`, {
      method: "PUT",
      body,
      timeout,
      parse,
    }),
  );
}

/** The steps come with the page, so the first load leaves the schema and its library out. */
async function parse(answer: unknown) {
  const { dismissAnswerSchema } = await import("@/lib/first-steps/model/dismiss");
  return dismissAnswerSchema.safeParse(answer).data;
}
