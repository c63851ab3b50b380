"use client";

import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { changedStaffSchema, addedStaffSchema, type NewStaff } from "@/lib/staff/model/staff";

/** Milliseconds. */
const timeout = 15_000;

export function useAddStaff() {
  return useApiMutation(
    (person: NewStaff) =>
      sendJson("/api/staff", {
        body: person,
        timeout,
        parse: (body) => addedStaffSchema.safeParse(body).data,
      }),
    { refreshes: true },
  );
}

export function useDisableStaff() {
  return useApiMutation(
    ({ person, disabled }: { person: string; disabled: boolean }) =>
      sendJson(apiPath("staff", person), {
        method: "PATCH",
        body: { disabled },
        timeout,
        parse: (body) => changedStaffSchema.safeParse(body).data,
      }),
    { refreshes: true },
  );
}
