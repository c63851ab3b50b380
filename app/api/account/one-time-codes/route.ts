import { requireOwnAccount, requireSignedIn } from "@/lib/platform/access/require";
import {
  beginCodesSchema,
  bothProofsSchema,
  confirmCodesSchema,
} from "@/lib/account/model/account";
import { accountOrigin } from "@/lib/account/server/account-origin";
import { beginCodes } from "@/lib/account/server/codes/begin-codes";
import { confirmCodes } from "@/lib/account/server/codes/confirm-codes";
import { turnOffCodes } from "@/lib/account/server/codes/turn-off-codes";
import { keepKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { db } from "@/lib/platform/database/open";
import { originOf } from "@/lib/platform/http/origin-of";
import { routes, write } from "@/lib/platform/http/route";

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
