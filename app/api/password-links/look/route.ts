import { readPasswordLink } from "@/lib/platform/auth/passwords/password-link";
import { routes, write } from "@/lib/platform/http/route";
import { previewLinkSchema } from "@/lib/staff/model/password-choice";

/** A POST although it changes nothing: the token goes in the body, not in a URL that ends up in logs. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("password-links.look", {
  POST: write({
    ofOwnSignIn: true,
    // Anybody with the link may read it.
    access: async () => undefined,
    body: () => previewLinkSchema,
    handle: ({ body }) => readPasswordLink(body.token),
  }),
});
