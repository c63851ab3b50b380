"use client";

import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { FirstAdmin, Invite, NewAlertAddress } from "@/lib/team/model/requests";
import { addedAddressSchema, invitedSchema } from "@/lib/team/model/team";
import { teamKeys } from "./query";

export type TeamChange =
  | { kind: "role"; member: string; role: PartnerRole }
  | { kind: "remove"; member: string }
  | { kind: "revoke"; invitation: string }
  | { kind: "removeAddress"; address: string }
  | { kind: "fourEyes"; on: boolean; asked: boolean };

/** Includes sending the mail. */
const timeout = 25_000;

/** Changes or removes a member or an invitation. */
export function useTeamChange(partner: string) {
  return useApiMutation(
    (change: TeamChange) => {
      const { path, ...request } = requestOf(partner, change);
      return sendJson(path, { ...request, timeout, parse: () => true });
    },
    { invalidates: teamKeys.team(partner) },
  );
}

/** The viewer leaves a partner. */
export function useLeave() {
  return useApiMutation(
    (partner: string) =>
      sendJson(apiPath("partners", partner, "membership"), {
        method: "DELETE",
        body: {},
        timeout,
        parse: () => true,
      }),
    { refreshes: true },
  );
}

export function useInvite(partner: string) {
  return useApiMutation(
    (invite: Invite) =>
      sendJson(apiPath("partners", partner, "members"), {
        body: invite,
        timeout,
        parse: readInvited,
      }),
    { invalidates: teamKeys.team(partner) },
  );
}

/** Adds an alert address, to which a link to confirm it is mailed. */
export function useAddAlertAddress(partner: string) {
  return useApiMutation(
    (address: NewAlertAddress) =>
      sendJson(apiPath("partners", partner, "alert-addresses"), {
        body: address,
        timeout,
        parse: (body) => addedAddressSchema.safeParse(body).data,
      }),
    { invalidates: teamKeys.team(partner) },
  );
}

/** Invites the admin of a partner that has none. */
export function useInviteFirstAdmin(partner: string) {
  return useApiMutation((admin: FirstAdmin) =>
    sendJson(apiPath("partners", partner, "first-admin"), {
      body: admin,
      timeout,
      parse: readInvited,
    }),
  );
}

function readInvited(body: unknown) {
  return invitedSchema.safeParse(body).data;
}

function requestOf(partner: string, change: TeamChange) {
  const path = (...parts: string[]) => apiPath("partners", partner, ...parts);
  switch (change.kind) {
    case "role":
      return {
        path: path("members", change.member),
        method: "PATCH",
        body: { role: change.role },
      } as const;
    case "remove":
      return {
        path: path("members", change.member),
        method: "DELETE",
        body: {},
      } as const;
    case "fourEyes":
      return {
        path: path("four-eyes"),
        method: "PATCH",
        body: { on: change.on, asked: change.asked },
      } as const;
    case "removeAddress":
      return {
        path: path("alert-addresses", change.address),
        method: "DELETE",
        body: {},
      } as const;
    case "revoke":
      return {
        path: path("members", "invitations", change.invitation),
        method: "DELETE",
        body: {},
      } as const;
  }
}
