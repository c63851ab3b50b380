import { nameChangeSchema } from "@/lib/account/model/account";
import { changeName } from "@/lib/account/server/name";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.name", {
  PUT: write({
    access: requireOwnAccount,
    body: () => nameChangeSchema,
    handle: ({ access, body, context }) => changeName(access, body, context),
  }),
});
