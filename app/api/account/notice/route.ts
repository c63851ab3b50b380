import { requireOwnAccount } from "@/lib/access/require";
import { dismissNotice } from "@/lib/account/notice";
import { nothing } from "@/lib/http/nothing";
import { routes, write } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.notice", {
  DELETE: write({
    access: requireOwnAccount,
    body: () => nothing,
    handle: async () => {
      await dismissNotice();
      return Response.json({});
    },
  }),
});
