import { requirePartner } from "@/lib/platform/access/require";
import { emptyBody } from "@/lib/platform/http/empty-body";
import { routes, write } from "@/lib/platform/http/route";
import { revokeInvitation } from "@/lib/team/server/invitations/revoke-invitation";

type Params = { partner: string; invitation: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("members.invitation", {
  DELETE: write<Params, unknown, unknown>({
    access: ({ partner }) => requirePartner(partner, "team.write"),
    body: () => emptyBody,
    handle: async ({ params: { partner, invitation }, context }) => {
      await revokeInvitation(partner, invitation, context);
      return Response.json({});
    },
  }),
});
