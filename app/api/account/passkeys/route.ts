import { requireOwnAccount, requireSignedIn } from "@/lib/access/require";
import { newPasskeySchema, removePasskeySchema } from "@/lib/account/account";
import { addPasskey, beginPasskey, removePasskey } from "@/lib/account/passkeys";
import { keepKnown } from "@/lib/auth/browser-cookies";
import { db } from "@/lib/db/open";
import { nothing } from "@/lib/http/nothing";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.passkeys", {
  POST: write({
    access: requireSignedIn,
    body: () => nothing,
    handle: async () => Response.json(await beginPasskey()),
  }),
  PUT: write({
    access: requireSignedIn,
    body: () => newPasskeySchema,
    handle: async ({ request, requestId, body, access }) => {
      await addPasskey(body, originOf(request, requestId));
      return keepKnown(db(), access.viewer.id, Response.json({}));
    },
  }),
  DELETE: write({
    access: requireOwnAccount,
    body: () => removePasskeySchema,
    handle: async ({ request, requestId, body, access }) => {
      await removePasskey(body.passkey, originOf(request, requestId));
      return keepKnown(db(), access.viewer.id, Response.json({}));
    },
  }),
});
