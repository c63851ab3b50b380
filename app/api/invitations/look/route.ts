import { routes, write } from "@/lib/platform/http/route";
import { readOffer } from "@/lib/team/server/invitations/accept";
import { previewRequestSchema } from "@/lib/team/model/requests";

/** A POST although it changes nothing: the token goes in the body, not in a URL that ends up in logs. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("invitations.look", {
  POST: write({
    ofOwnSignIn: true,
    // Anybody with the link may read it.
    access: async () => undefined,
    body: () => previewRequestSchema,
    handle: ({ body }) => readOffer(body.token),
  }),
});
