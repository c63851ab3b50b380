import { clientAddress } from "@/lib/client-address";
import { routes, write } from "@/lib/http/route";
import { acceptInvitation } from "@/lib/team/accept";
import { acceptSchema } from "@/lib/team/requests";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("invitations.accept", {
  POST: write({
    // The token decides, together with who is signed in.
    access: async () => undefined,
    body: () => acceptSchema,
    handle: async ({ request, requestId, body }) => {
      const context = { requestId, clientAddress: clientAddress(request.headers) };
      return Response.json(await acceptInvitation(body, context));
    },
  }),
});
