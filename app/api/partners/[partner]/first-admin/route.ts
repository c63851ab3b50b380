import { requireStaffFor } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { inviteFirstAdmin } from "@/lib/team/server/invitations/invite";
import { firstAdminSchema } from "@/lib/team/model/requests";
import { getLocale } from "next-intl/server";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("first-admin", {
  POST: write({
    ofOwnSignIn: true,
    access: ({ partner }: Params) => requireStaffFor(partner, "partners.manage"),
    body: () => firstAdminSchema,
    status: 201,
    handle: async ({ access, body, context }) =>
      inviteFirstAdmin(access, body, { ...context, locale: await getLocale() }),
  }),
});
