import { requireOwnAccount, requireSignedIn } from "@/lib/platform/access/require";
import {
  beginCodesSchema,
  bothProofsSchema,
  confirmCodesSchema,
} from "@/lib/account/model/account";
import { accountContext } from "@/lib/account/server/require-password";
import { beginCodes } from "@/lib/account/server/codes/begin-codes";
import { confirmCodes } from "@/lib/account/server/codes/confirm-codes";
import { turnOffCodes } from "@/lib/account/server/codes/turn-off-codes";
import { keepKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { db } from "@/lib/platform/database/open";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.one-time-codes", {
  POST: write({
    access: requireSignedIn,
    body: () => beginCodesSchema,
    handle: async ({ body, context }) =>
      Response.json(await beginCodes(body, await accountContext(context))),
  }),
  PUT: write({
    access: requireSignedIn,
    body: () => confirmCodesSchema,
    handle: async ({ access: { viewer }, body, context }) => {
      const confirmed = await confirmCodes(body, context);
      return keepKnown(db(), viewer.id, Response.json(confirmed));
    },
  }),
  DELETE: write({
    access: requireOwnAccount,
    body: () => bothProofsSchema,
    handle: async ({ access: { viewer }, body, context }) => {
      await turnOffCodes(body, await accountContext(context));
      return keepKnown(db(), viewer.id, Response.json({}));
    },
  }),
});
