import { requirePartner } from "@/lib/platform/access/require";
import { emptyBody } from "@/lib/platform/http/empty-body";
import { routes, write } from "@/lib/platform/http/route";
import { changeRole } from "@/lib/team/server/members/change-role";
import { removeMember } from "@/lib/team/server/members/remove-member";
import { roleChangeSchema, type RoleChange } from "@/lib/team/model/requests";

type Params = { partner: string; member: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("members.member", {
  PATCH: write<Params, unknown, RoleChange>({
    access: ({ partner }) => requirePartner(partner, "team.write"),
    body: () => roleChangeSchema,
    handle: async ({ params: { partner, member }, body, context }) => {
      await changeRole(partner, member, body.role, context);
      return Response.json({});
    },
  }),
  DELETE: write<Params, unknown, unknown>({
    access: ({ partner }) => requirePartner(partner, "team.write"),
    body: () => emptyBody,
    handle: async ({ params: { partner, member }, context }) => {
      await removeMember(partner, member, context);
      return Response.json({});
    },
  }),
});
