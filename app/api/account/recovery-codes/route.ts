import { requireOwnAccount } from "@/lib/access/require";
import { bothProofsSchema } from "@/lib/account/account";
import { accountOrigin } from "@/lib/account/account-origin";
import { renewRecoveryCodes } from "@/lib/account/renew-recovery-codes";
import { keepKnown } from "@/lib/auth/browser-cookies";
import { db } from "@/lib/db/open";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";

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
