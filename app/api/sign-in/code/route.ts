import { codeSignInSchema } from "@/lib/platform/auth/model/sign-in-requests";
import { readCookie } from "@/lib/platform/auth/sessions/browser-cookies";
import { answerSignIn, completeSignIn } from "@/lib/platform/auth/sign-in/complete-sign-in";
import { db } from "@/lib/platform/database/open";
import { routes, write } from "@/lib/platform/http/route";

/** The second step of signing in, in the browser that took the first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("sign-in.code", {
  POST: write({
    ofOwnSignIn: true,
    // The cookie from the first step decides.
    access: async () => undefined,
    body: () => codeSignInSchema,
    handle: async ({ body, requestId }) => {
      const pendingId = await readCookie("code");
      return answerSignIn(requestId, (browser) =>
        completeSignIn(db(), { ...body, ...browser, pendingId }),
      );
    },
  }),
});
