import { routes, write } from "@/lib/platform/http/route";
import { readOffer } from "@/lib/team/server/invitations/offer";
import { previewRequestSchema } from "@/lib/team/model/requests";

/** A POST, so that the token is in a body and not in an address that logs keep. It changes nothing. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("invitations.look", {
  POST: write({
    // Whoever has the link may look; that is what it is for.
    access: async () => undefined,
    body: () => previewRequestSchema,
    handle: async ({ body }) => Response.json(await readOffer(body.token)),
  }),
});
