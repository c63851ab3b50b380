"use client";

import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import {
  changedPartnerSchema,
  type NewPartner,
  type PartnerChange,
} from "@/lib/partners/model/change-requests";
import { partnerKeys } from "./query";

/** Milliseconds. */
const timeout = 15_000;

export function useCreatePartner() {
  return useApiMutation(
    (partner: NewPartner) => sendJson("/api/partners", { body: partner, timeout, parse }),
    { invalidates: partnerKeys.lists },
  );
}

export function useChangePartner(id: string) {
  return useApiMutation(
    (change: PartnerChange) =>
      sendJson(apiPath("partners", id), { method: "PATCH", body: change, timeout, parse }),
    { invalidates: partnerKeys.lists },
  );
}

function parse(body: unknown) {
  return changedPartnerSchema.safeParse(body).data;
}
