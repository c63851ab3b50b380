import { routes, write } from "@/lib/platform/http/route";
import { acceptInvitation } from "@/lib/team/server/invitations/accept";
import { acceptSchema } from "@/lib/team/model/requests";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("invitations.accept", {
  POST: write({
    ofOwnSignIn: true,
    // The token and the signed-in person decide.
    access: async () => undefined,
    body: () => acceptSchema,
    handle: ({ body, context }) => acceptInvitation(body, context),
  }),
});
