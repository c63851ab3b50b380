"use client";

import type { Switch } from "@/lib/capture/model/capture";
import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { captureKeys, type EnvironmentParams } from "./query";

/** Milliseconds. The route only writes to the database. */
const switchTimeout = 10_000;

/** Switches the receiving address of a type on or off. */
export function useCaptureSwitch(here: EnvironmentParams) {
  return useApiMutation(
    (body: Switch) =>
      sendJson(apiPath("partners", here.partner, here.environment, "capture"), {
        method: "PUT",
        body,
        timeout: switchTimeout,
        parse: async (answer) => {
          const { switchedSchema } = await import("@/lib/capture/model/capture");
          return switchedSchema.safeParse(answer).data;
        },
      }),
    { invalidates: captureKeys.all(here) },
  );
}
