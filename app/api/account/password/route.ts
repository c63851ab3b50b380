import { requireOwnAccount } from "@/lib/platform/access/require";
import { passwordChangeSchema } from "@/lib/account/model/account";
import { accountContext } from "@/lib/account/server/step-up";
import { changePassword } from "@/lib/account/server/account";
import { keepDeviceKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.password", {
  POST: write({
    ofOwnSignIn: true,
    access: requireOwnAccount,
    body: () => passwordChangeSchema,
    handle: async ({ access, body, context }) => {
      const own = await accountContext(context);
      return keepDeviceKnown(access, await changePassword(access, body, own));
    },
  }),
});
