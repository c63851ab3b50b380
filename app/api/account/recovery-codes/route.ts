import { renewRecoveryCodes } from "@/lib/account/server/codes/codes";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { bothProofsSchema } from "@/lib/account/model/account";
import { accountContext } from "@/lib/account/server/step-up";
import { keepDeviceKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.recovery-codes", {
  POST: write({
    ofOwnSignIn: true,
    access: requireOwnAccount,
    body: () => bothProofsSchema,
    handle: async ({ access, body, context }) => {
      const own = await accountContext(context);
      return keepDeviceKnown(access, await renewRecoveryCodes(access, body, own));
    },
  }),
});
