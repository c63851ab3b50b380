import { answerSignOut } from "@/lib/platform/auth/sessions/sign-out";
import { emptyBody, routes, write } from "@/lib/platform/http/route";

/** Ends the browser's session, if it has one: the answer has the address to go to then. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("sign-out", {
  POST: write({
    // The cookie decides. A page that outlived its person's session may end the one of whoever signed in since.
    access: async () => undefined,
    body: () => emptyBody,
    takesAway: () => true,
    handle: ({ requestId }) => answerSignOut(requestId),
  }),
});
