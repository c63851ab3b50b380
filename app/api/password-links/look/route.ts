import { readPasswordLink } from "@/lib/auth/password-link";
import { routes, write } from "@/lib/http/route";
import { lookAtLinkSchema } from "@/lib/staff/password-choice";

/** A POST, so that the token is in a body and not in an address that logs keep. It changes nothing. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("password-links.look", {
  POST: write({
    // Whoever has the link may look; that is what it is for.
    access: async () => undefined,
    body: () => lookAtLinkSchema,
    handle: async ({ body }) => Response.json(await readPasswordLink(body.token)),
  }),
});
