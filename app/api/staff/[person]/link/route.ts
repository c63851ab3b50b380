import { requireStaff } from "@/lib/access/require";
import { nothing } from "@/lib/http/nothing";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { renewPasswordLink } from "@/lib/staff/change-staff";

type Params = { person: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff.link", {
  POST: write<Params, unknown, object>({
    access: () => requireStaff("staff.manage"),
    body: () => nothing,
    handle: async ({ request, params, requestId }) =>
      Response.json(await renewPasswordLink(params.person, originOf(request, requestId)), {
        status: 201,
      }),
  }),
});
