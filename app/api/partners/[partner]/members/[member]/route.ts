import { requirePartner } from "@/lib/platform/access/require";
import { routes, write, emptyBody } from "@/lib/platform/http/route";
import { changeRole, removeMember } from "@/lib/team/server/members";
import { roleChangeSchema } from "@/lib/team/model/requests";

type Params = { partner: string; member: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("members.member", {
  PATCH: write({
    access: ({ partner }: Params) => requirePartner(partner, "team.write"),
    body: () => roleChangeSchema,
    // No role is lower.
    takesAway: ({ role }) => role === "viewer",
    handle: ({ params: { member }, access, body, context }) =>
      changeRole(access, member, body.role, context),
  }),
  DELETE: write({
    access: ({ partner }: Params) => requirePartner(partner, "team.write"),
    body: () => emptyBody,
    takesAway: () => true,
    handle: ({ params: { member }, access, context }) => removeMember(access, member, context),
  }),
});
