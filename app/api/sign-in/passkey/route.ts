import { tooMany } from "@/lib/platform/http/model/refusals";
import { nothingToKeep } from "@/lib/platform/auth/sessions/browser-cookies";
import { beginPasskeySignIn } from "@/lib/platform/auth/passkeys/sign-in";
import { db } from "@/lib/platform/database/open";
import { routes, write, emptyBody } from "@/lib/platform/http/route";

/** The first step of signing in with a passkey; the second one is next-auth's, which starts the session. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("sign-in.passkey", {
  POST: write({
    // Anybody who wants to sign in may begin.
    access: async () => undefined,
    body: () => emptyBody,
    handle: async ({ context }) => {
      const begun = await beginPasskeySignIn(db(), context);
      if (begun.outcome === "throttled") throw tooMany(begun.retryAfterSeconds);
      const answer = Response.json({ options: begun.options });
      const toKeep = nothingToKeep();
      toKeep.keep("passkey", begun.holder);
      toKeep.writeInto(answer);
      return answer;
    },
  }),
});
