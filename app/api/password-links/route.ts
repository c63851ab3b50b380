import { askForPasswordLink } from "@/lib/auth/forgotten-password";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { linkRequestSchema } from "@/lib/staff/password-choice";
import { underWay } from "@/lib/under-way";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("password-links", {
  POST: write({
    // Whoever forgot their password is signed out.
    access: async () => undefined,
    body: () => linkRequestSchema,
    handle: async ({ request, requestId, body }) => {
      const { done } = await askForPasswordLink(body.email, originOf(request, requestId));
      // Not waited for: how long it takes would tell who has an account.
      void underWay(done);
      return Response.json({}, { status: 202 });
    },
  }),
});
