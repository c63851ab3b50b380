import { requireOwnAccount, requireSignedIn } from "@/lib/access/require";
import { beginCodesSchema, bothProofsSchema, confirmCodesSchema } from "@/lib/account/account";
import { accountOrigin } from "@/lib/account/account-origin";
import { beginCodes } from "@/lib/account/begin-codes";
import { confirmCodes } from "@/lib/account/confirm-codes";
import { turnOffCodes } from "@/lib/account/turn-off-codes";
import { keepKnown } from "@/lib/auth/browser-cookies";
import { db } from "@/lib/db/open";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.one-time-codes", {
  POST: write({
    access: requireSignedIn,
    body: () => beginCodesSchema,
    handle: async ({ request, requestId, body }) =>
      Response.json(await beginCodes(body, await accountOrigin(originOf(request, requestId)))),
  }),
  PUT: write({
    access: requireSignedIn,
    body: () => confirmCodesSchema,
    handle: async ({ request, requestId, body, access: { viewer } }) => {
      const confirmed = await confirmCodes(body, originOf(request, requestId));
      return keepKnown(db(), viewer.id, Response.json(confirmed));
    },
  }),
  DELETE: write({
    access: requireOwnAccount,
    body: () => bothProofsSchema,
    handle: async ({ request, requestId, body, access: { viewer } }) => {
      await turnOffCodes(body, await accountOrigin(originOf(request, requestId)));
      return keepKnown(db(), viewer.id, Response.json({}));
    },
  }),
});
