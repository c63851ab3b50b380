"use client";

import { withKnownCodes, type FieldCode } from "@/lib/platform/http/model/field-errors";
import { fetchJson, type Failure, type JsonAnswer } from "@/lib/platform/http/client/fetch-json";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { membersPath, teamQuery } from "./query";
import type { Invite, TeamRole } from "@/lib/team/model/requests";
import { invitedSchema, memberLinkSchema, type Invited } from "@/lib/team/model/team";

export type TeamChange =
  | { kind: "role"; member: string; role: TeamRole }
  | { kind: "remove"; member: string }
  | { kind: "revoke"; invitation: string }
  | { kind: "fourEyes"; on: boolean };

/** What came of a change. `failed` leaves open whether it happened only where no answer came. */
export type ChangeAnswer = { kind: "done" } | { kind: "failed"; failure: Failure };

export type InviteAnswer =
  | { kind: "invited"; invited: Invited }
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  | { kind: "failed"; failure: Failure };

/** Sending the mail included. */
const timeout = 25_000;

/** An answer may hold a link that nobody else is to see; and nothing is sent later by itself. */
const once = { retry: false, gcTime: 0, networkMode: "always" } as const;

/** Changes or removes what is there. Afterwards the list is asked for anew, whatever came of it. */
export function useTeamChange(partner: string) {
  const refresh = useRefresh(partner);
  return useMutation({
    ...once,
    mutationFn: async (change: TeamChange): Promise<ChangeAnswer> => {
      const answer = await send(partner, change);
      return answer.kind === "ok" ? { kind: "done" } : { kind: "failed", failure: answer };
    },
    onSuccess: refresh,
  });
}

export function useInvite(partner: string) {
  const refresh = useRefresh(partner);
  return useMutation({
    ...once,
    mutationFn: async (invite: Invite): Promise<InviteAnswer> =>
      readInviteAnswer(await fetchJson(membersPath(partner), { body: invite, timeout })),
    onSuccess: refresh,
  });
}

/** Gives the link with which a member chooses another password; it is in no other answer. */
export function useMemberLink(partner: string) {
  const refresh = useRefresh(partner);
  return useMutation({
    ...once,
    mutationFn: async (
      member: string,
    ): Promise<{ kind: "made"; link: string } | { kind: "failed"; failure: Failure }> => {
      const path = `${membersPath(partner)}/${encodeURIComponent(member)}/link`;
      const answer = await fetchJson(path, { body: {}, timeout });
      const made = answer.kind === "ok" ? memberLinkSchema.safeParse(answer.body).data : undefined;
      if (made) return { kind: "made", link: made.link };
      return {
        kind: "failed",
        failure: answer.kind === "problem" ? answer : { kind: "no_answer" },
      };
    },
    onSuccess: refresh,
  });
}

function send(partner: string, change: TeamChange): Promise<JsonAnswer> {
  const members = membersPath(partner);
  switch (change.kind) {
    case "role":
      return fetchJson(`${members}/${encodeURIComponent(change.member)}`, {
        method: "PATCH",
        body: { role: change.role },
        timeout,
      });
    case "remove":
      return fetchJson(`${members}/${encodeURIComponent(change.member)}`, {
        method: "DELETE",
        body: {},
        timeout,
      });
    case "fourEyes":
      return fetchJson(`/api/partners/${encodeURIComponent(partner)}/four-eyes`, {
        method: "PATCH",
        body: { on: change.on },
        timeout,
      });
    case "revoke":
      return fetchJson(`${members}/invitations/${encodeURIComponent(change.invitation)}`, {
        method: "DELETE",
        body: {},
        timeout,
      });
  }
}

/** Reads the answer to `POST …/members`. */
function readInviteAnswer(answer: JsonAnswer): InviteAnswer {
  if (answer.kind === "ok") {
    const invited = invitedSchema.safeParse(answer.body);
    return invited.success
      ? { kind: "invited", invited: invited.data }
      : { kind: "failed", failure: { kind: "no_answer" } };
  }
  const errors = answer.kind === "problem" ? answer.problem.errors : undefined;
  if (!errors?.length) return { kind: "failed", failure: answer };
  return { kind: "fields", errors: withKnownCodes(errors) };
}

function useRefresh(partner: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: teamQuery(partner).queryKey });
}
