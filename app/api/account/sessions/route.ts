import { requireOwnAccount } from "@/lib/access/require";
import { endSessionsSchema } from "@/lib/account/account";
import { endSessions } from "@/lib/account/end-sessions";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.sessions", {
  DELETE: write({
    access: requireOwnAccount,
    body: () => endSessionsSchema,
    unlimited: true,
    handle: async ({ request, requestId, body }) =>
      Response.json(await endSessions(body, originOf(request, requestId))),
  }),
});
