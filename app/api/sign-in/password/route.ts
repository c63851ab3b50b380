import { passwordSignInSchema } from "@/lib/platform/auth/model/sign-in-requests";
import { answerSignIn } from "@/lib/platform/auth/sign-in/complete-sign-in";
import { signIn } from "@/lib/platform/auth/sign-in/sign-in";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { routes, write } from "@/lib/platform/http/route";

/** The first step of signing in, and the only one for people without one-time codes. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("sign-in.password", {
  POST: write({
    ofOwnSignIn: true,
    // Anybody may try; attempts are throttled.
    access: async () => undefined,
    body: () => passwordSignInSchema,
    handle: ({ body, requestId }) =>
      answerSignIn(requestId, (browser) =>
        signIn(db(), { ...body, ...browser }, env().mode === "demo"),
      ),
  }),
});
