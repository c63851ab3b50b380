import { requireOwnAccount, requireSettingUp } from "@/lib/platform/access/require";
import {
  beginCodesSchema,
  bothProofsSchema,
  confirmCodesSchema,
} from "@/lib/account/model/account";
import { accountContext } from "@/lib/account/server/step-up";
import { beginCodes, confirmCodes, turnOffCodes } from "@/lib/account/server/codes/codes";
import { keepDeviceKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.one-time-codes", {
  POST: write({
    ofOwnSignIn: true,
    access: () => requireSettingUp("codes"),
    body: () => beginCodesSchema,
    handle: async ({ access, body, context }) =>
      beginCodes(access, body, await accountContext(context)),
  }),
  PUT: write({
    ofOwnSignIn: true,
    access: () => requireSettingUp("codes"),
    body: () => confirmCodesSchema,
    handle: async ({ access, body, context }) => {
      const confirmed = await confirmCodes(access, body, context);
      return keepDeviceKnown(access, confirmed);
    },
  }),
  DELETE: write({
    ofOwnSignIn: true,
    access: requireOwnAccount,
    body: () => bothProofsSchema,
    handle: async ({ access, body, context }) => {
      await turnOffCodes(access, body, await accountContext(context));
      return keepDeviceKnown(access);
    },
  }),
});
