import { requireOwnAccount, requireSignedIn } from "@/lib/platform/access/require";
import { newPasskeySchema, removePasskeySchema } from "@/lib/account/model/account";
import { addPasskey, beginPasskey, removePasskey } from "@/lib/account/server/passkeys";
import { keepKnown } from "@/lib/platform/auth/sessions/browser-cookies";
import { db } from "@/lib/platform/database/open";
import { routes, write, emptyBody } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.passkeys", {
  POST: write({
    access: requireSignedIn,
    body: () => emptyBody,
    handle: async ({ access }) => Response.json(await beginPasskey(access)),
  }),
  PUT: write({
    access: requireSignedIn,
    body: () => newPasskeySchema,
    handle: async ({ access, body, context }) => {
      await addPasskey(access, body, context);
      return keepKnown(db(), access.viewer.id, Response.json({}));
    },
  }),
  DELETE: write({
    access: requireOwnAccount,
    body: () => removePasskeySchema,
    handle: async ({ access, body, context }) => {
      await removePasskey(access, body.passkey, context);
      return keepKnown(db(), access.viewer.id, Response.json({}));
    },
  }),
});
