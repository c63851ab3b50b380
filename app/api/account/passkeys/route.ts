import { requireOwnAccount, requireSettingUp } from "@/lib/platform/access/require";
import {
  beginPasskeySchema,
  newPasskeySchema,
  removePasskeySchema,
} from "@/lib/account/model/account";
import { accountContext } from "@/lib/account/server/step-up";
import { addPasskey, beginPasskey, removePasskey } from "@/lib/account/server/passkeys";
import { keepDeviceKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.passkeys", {
  POST: write({
    access: () => requireSettingUp("passkey"),
    body: () => beginPasskeySchema,
    handle: async ({ access, body, context }) =>
      beginPasskey(access, body, await accountContext(context)),
  }),
  PUT: write({
    access: () => requireSettingUp("passkey"),
    body: () => newPasskeySchema,
    handle: async ({ access, body, context }) => {
      await addPasskey(access, body, context);
      return keepDeviceKnown(access);
    },
  }),
  DELETE: write({
    access: requireOwnAccount,
    body: () => removePasskeySchema,
    handle: async ({ access, body, context }) => {
      await removePasskey(access, body.passkey, context);
      return keepDeviceKnown(access);
    },
  }),
});
