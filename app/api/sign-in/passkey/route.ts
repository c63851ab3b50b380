import { nothingToKeep } from "@/lib/auth/browser-cookies";
import { beginPasskeySignIn } from "@/lib/auth/passkeys/sign-in";
import { db } from "@/lib/db/open";
import { nothing } from "@/lib/http/nothing";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { ProblemError } from "@/lib/problem";

/** The first step of signing in with a passkey; the second one is next-auth's, which starts the session. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("sign-in.passkey", {
  POST: write({
    // Whoever wants to sign in may ask.
    access: async () => undefined,
    body: () => nothing,
    handle: async ({ request, requestId }) => {
      const begun = await beginPasskeySignIn(db(), originOf(request, requestId));
      if (begun.outcome === "throttled")
        throw new ProblemError("too_many_requests", {
          applied: "no",
          retryable: true,
          retryAfter: begun.retryAfterSeconds,
        });
      const answer = Response.json({ options: begun.options });
      const toKeep = nothingToKeep();
      toKeep.keep("passkey", begun.holder);
      toKeep.writeInto(answer);
      return answer;
    },
  }),
});
