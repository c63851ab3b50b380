import { requireStaff } from "@/lib/platform/access/require";
import { emptyBody } from "@/lib/platform/http/empty-body";
import { originOf } from "@/lib/platform/http/origin-of";
import { routes, write } from "@/lib/platform/http/route";
import { renewPasswordLink } from "@/lib/staff/server/change-staff";

type Params = { person: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff.link", {
  POST: write<Params, unknown, object>({
    access: () => requireStaff("staff.manage"),
    body: () => emptyBody,
    handle: async ({ request, params, requestId }) =>
      Response.json(await renewPasswordLink(params.person, originOf(request, requestId)), {
        status: 201,
      }),
  }),
});
