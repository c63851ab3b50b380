import { requireOwnAccount } from "@/lib/platform/access/require";
import { passwordChangeSchema } from "@/lib/account/model/account";
import { accountOrigin } from "@/lib/account/server/account-origin";
import { changePassword } from "@/lib/account/server/change-password";
import { keepKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { db } from "@/lib/platform/database/open";
import { originOf } from "@/lib/platform/http/origin-of";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.password", {
  POST: write({
    access: requireOwnAccount,
    body: () => passwordChangeSchema,
    handle: async ({ request, requestId, body, access: { viewer } }) => {
      const origin = await accountOrigin(originOf(request, requestId));
      return keepKnown(db(), viewer.id, Response.json(await changePassword(body, origin)));
    },
  }),
});
