import { tooMany } from "@/lib/platform/http/model/problem";
import { passkeySignInSchema } from "@/lib/platform/auth/model/sign-in-requests";
import { keep, readCookie } from "@/lib/platform/auth/sessions/browser-cookies";
import { beginPasskeySignIn, checkPasskeySignIn } from "@/lib/platform/auth/passkeys/sign-in";
import { answerSignIn } from "@/lib/platform/auth/sign-in/complete-sign-in";
import { db } from "@/lib/platform/database/open";
import { routes, write, emptyBody } from "@/lib/platform/http/route";

/** Signs in with a passkey alone: `POST` returns the challenge, `PUT` takes the signed challenge. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("sign-in.passkey", {
  POST: write({
    ofOwnSignIn: true,
    // Anybody may begin to sign in.
    access: async () => undefined,
    body: () => emptyBody,
    handle: async ({ context }) => {
      const begun = await beginPasskeySignIn(db(), context);
      if (begun.outcome === "throttled") throw tooMany(begun.retryAfterSeconds);
      const answer = Response.json({ options: begun.options });
      keep(answer, "passkey", begun.boundTo);
      return answer;
    },
  }),
  PUT: write({
    ofOwnSignIn: true,
    // The signature decides.
    access: async () => undefined,
    body: () => passkeySignInSchema,
    handle: async ({ body, requestId }) => {
      const boundTo = await readCookie("passkey");
      return answerSignIn(requestId, (browser) =>
        checkPasskeySignIn(db(), { ...body, ...browser, boundTo }),
      );
    },
  }),
});
