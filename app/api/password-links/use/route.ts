import { nothingToKeep } from "@/lib/auth/browser-cookies";
import { rememberDevice } from "@/lib/auth/known-device";
import { choosePassword } from "@/lib/auth/password-link";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { passwordChoiceSchema } from "@/lib/staff/password-choice";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("password-links.use", {
  POST: write({
    // The token decides.
    access: async () => undefined,
    body: () => passwordChoiceSchema,
    handle: async ({ request, requestId, body }) => {
      const { email, owner } = await choosePassword(body, originOf(request, requestId));
      const answer = Response.json({ email });
      // Whoever keeps guessing at the account does not hold up the person who was just given a way in.
      const toKeep = nothingToKeep();
      toKeep.keep("device", rememberDevice(owner));
      toKeep.writeInto(answer);
      return answer;
    },
  }),
});
