import { keep } from "@/lib/platform/auth/sessions/browser-cookies";
import { rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import { choosePassword } from "@/lib/platform/auth/passwords/password-link";
import { routes, write } from "@/lib/platform/http/route";
import { passwordChoiceSchema } from "@/lib/staff/model/password-choice";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("password-links.use", {
  POST: write({
    ofOwnSignIn: true,
    // The token decides.
    access: async () => undefined,
    body: () => passwordChoiceSchema,
    handle: async ({ body, context }) => {
      const { email, owner } = await choosePassword(body, context);
      const answer = Response.json({ email });
      // Other people's guesses at the account must not throttle the person who just used a link.
      keep(answer, "device", rememberDevice(owner));
      return answer;
    },
  }),
});
