import { requireOwnAccount } from "@/lib/platform/access/require";
import { endSessionsSchema } from "@/lib/account/model/account";
import { endSessions } from "@/lib/account/server/account";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.sessions", {
  DELETE: write({
    access: requireOwnAccount,
    body: () => endSessionsSchema,
    takesAway: () => true,
    handle: ({ access, body, context }) => endSessions(access, body, context),
  }),
});
