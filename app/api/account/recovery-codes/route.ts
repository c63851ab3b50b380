import { requireOwnAccount } from "@/lib/access/require";
import { bothProofsSchema } from "@/lib/account/account";
import { accountOrigin } from "@/lib/account/account-origin";
import { renewRecoveryCodes } from "@/lib/account/renew-recovery-codes";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.recovery-codes", {
  POST: write({
    access: requireOwnAccount,
    body: () => bothProofsSchema,
    handle: async ({ request, requestId, body }) =>
      Response.json(
        await renewRecoveryCodes(body, await accountOrigin(originOf(request, requestId))),
      ),
  }),
});
