import { requireStaffFor } from "@/lib/access/require";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { inviteFirstAdmin } from "@/lib/team/invite-first-admin";
import { firstAdminSchema, type FirstAdmin } from "@/lib/team/requests";
import { getLocale } from "next-intl/server";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("first-admin", {
  POST: write<Params, unknown, FirstAdmin>({
    access: ({ partner }) => requireStaffFor(partner, "partners.manage"),
    body: () => firstAdminSchema,
    handle: async ({ request, params, requestId, body }) =>
      Response.json(
        await inviteFirstAdmin(params.partner, body, {
          ...originOf(request, requestId),
          locale: await getLocale(),
        }),
        { status: 201 },
      ),
  }),
});
