import { askForPasswordLink } from "@/lib/platform/auth/passwords/password-link";
import { routes, write } from "@/lib/platform/http/route";
import { linkRequestSchema } from "@/lib/staff/model/password-choice";
import { inFlight } from "@/lib/platform/runtime/in-flight";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("password-links", {
  POST: write({
    ofOwnSignIn: true,
    // People who forgot their password are signed out.
    access: async () => undefined,
    body: () => linkRequestSchema,
    handle: async ({ body, context }) => {
      const { done } = await askForPasswordLink(body.email, context);
      // Not awaited: the duration would reveal who has an account.
      void inFlight(done);
      return Response.json({}, { status: 202 });
    },
  }),
});
