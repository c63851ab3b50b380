import { requireOwnAccount } from "@/lib/platform/access/require";
import { dismissNotice } from "@/lib/account/server/notice";
import { emptyBody } from "@/lib/platform/http/empty-body";
import { routes, write } from "@/lib/platform/http/route";

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
