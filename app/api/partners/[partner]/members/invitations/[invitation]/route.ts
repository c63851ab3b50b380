import { requirePartner } from "@/lib/platform/access/require";
import { routes, write, emptyBody } from "@/lib/platform/http/route";
import { revokeInvitation } from "@/lib/team/server/invitations/revoke-invitation";

type Params = { partner: string; invitation: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("members.invitation", {
  DELETE: write({
    ofOwnSignIn: true,
    access: ({ partner }: Params) => requirePartner(partner, "team.write"),
    body: () => emptyBody,
    takesAway: () => true,
    handle: ({ params: { invitation }, access, context }) =>
      revokeInvitation(access, invitation, context),
  }),
});
