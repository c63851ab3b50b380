"use client";

import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { Acknowledgement } from "@/lib/webhooks/model/outside";
import { useState } from "react";
import { webhookKeys } from "./query";

/** Milliseconds. The route only reads the database. */
const timeout = 10_000;

/** Acknowledges the changes made outside Gancho that are shown; the configuration is read again. */
export function useAcknowledge(
  { partner, environment }: { partner: string; environment: string },
  changes: readonly { id: string }[],
) {
  const shown = changes.map(({ id }) => id);
  const names = shown.join();
  const [last, setLast] = useState(names);
  const [sent, setSent] = useState<string | null>(null);
  if (names !== "" && names !== last) setLast(names);
  const { answer, failure, pending, send } = useApiMutation(
    (body: Acknowledgement) =>
      sendJson(apiPath("partners", partner, environment, "outside"), {
        body,
        timeout,
        parse: () => true,
      }),
    { invalidates: webhookKeys.configuration(partner, environment) },
  );
  return {
    /** The changes shown last are acknowledged, and it was done here: somebody else may answer what is found later. */
    done: answer?.kind === "done" && sent === last,
    failure,
    pending,
    send: () => {
      setSent(names);
      return send({ changes: shown });
    },
  };
}
