import { choosePassword } from "@/lib/auth/password-link";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { passwordChoiceSchema } from "@/lib/staff/password-choice";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("password-links.use", {
  POST: write({
    // The token decides.
    access: async () => undefined,
    body: () => passwordChoiceSchema,
    handle: async ({ request, requestId, body }) =>
      Response.json(await choosePassword(body, originOf(request, requestId))),
  }),
});
