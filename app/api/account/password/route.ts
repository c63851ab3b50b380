import { requireOwnAccount } from "@/lib/access/require";
import { passwordChangeSchema } from "@/lib/account/account";
import { accountOrigin } from "@/lib/account/account-origin";
import { changePassword } from "@/lib/account/change-password";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.password", {
  POST: write({
    access: requireOwnAccount,
    body: () => passwordChangeSchema,
    handle: async ({ request, requestId, body }) =>
      Response.json(await changePassword(body, await accountOrigin(originOf(request, requestId)))),
  }),
});
