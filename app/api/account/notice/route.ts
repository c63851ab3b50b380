import { dismissNotice } from "@/lib/account/server/read-account";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { routes, write, emptyBody } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.notice", {
  DELETE: write({
    access: requireOwnAccount,
    body: () => emptyBody,
    handle: async ({ access }) => {
      await dismissNotice(access);
      return Response.json({});
    },
  }),
});
