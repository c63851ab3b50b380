import { requireOwnAccount } from "@/lib/platform/access/require";
import { bothProofsSchema } from "@/lib/account/model/account";
import { accountOrigin } from "@/lib/account/server/account-origin";
import { renewRecoveryCodes } from "@/lib/account/server/codes/renew-recovery-codes";
import { keepKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { db } from "@/lib/platform/database/open";
import { originOf } from "@/lib/platform/http/origin-of";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.recovery-codes", {
  POST: write({
    access: requireOwnAccount,
    body: () => bothProofsSchema,
    handle: async ({ request, requestId, body, access: { viewer } }) => {
      const origin = await accountOrigin(originOf(request, requestId));
      return keepKnown(db(), viewer.id, Response.json(await renewRecoveryCodes(body, origin)));
    },
  }),
});
