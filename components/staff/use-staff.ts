"use client";

import { fetchJson, type Failure, type JsonAnswer } from "@/lib/platform/http/client/fetch-json";
import type { NewStaff } from "@/lib/staff/model/new-staff";
import {
  changedStaffSchema,
  issuedLinkSchema,
  type IssuedLink,
  type StaffPerson,
} from "@/lib/staff/model/staff";
import { useRouter } from "next/navigation";
import { useState } from "react";

/** Milliseconds. */
const timeout = 15_000;

/** Changes of the staff, one at a time; the page is then drawn anew. */
export function useStaffChange() {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function send<Result>(
    request: Promise<JsonAnswer>,
    read: (body: unknown) => Result | undefined,
  ): Promise<Result | null> {
    setPending(true);
    setFailure(null);
    const answer = await request;
    setPending(false);
    // Also after a failure: without an answer it may have happened all the same.
    router.refresh();
    const result = answer.kind === "ok" ? read(answer.body) : undefined;
    if (result !== undefined) return result;
    setFailure(answer.kind === "problem" ? answer : { kind: "no_answer" });
    return null;
  }

  const readLink = (body: unknown): IssuedLink | undefined => issuedLinkSchema.safeParse(body).data;
  return {
    pending,
    failure,
    add: (person: NewStaff) => send(fetchJson("/api/staff", { body: person, timeout }), readLink),
    newLink: ({ id }: StaffPerson) =>
      send(fetchJson(`/api/staff/${id}/link`, { body: {}, timeout }), readLink),
    setDisabled: ({ id }: StaffPerson, disabled: boolean) =>
      send(
        fetchJson(`/api/staff/${id}`, { method: "PATCH", body: { disabled }, timeout }),
        (body) => changedStaffSchema.safeParse(body).data?.person,
      ),
  };
}
