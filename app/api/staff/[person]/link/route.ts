import { requireStaff } from "@/lib/platform/access/require";
import { routes, write, emptyBody } from "@/lib/platform/http/route";
import { renewPasswordLink } from "@/lib/staff/server/change-staff";

type Params = { person: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff.link", {
  POST: write({
    access: (_params: Params) => requireStaff("staff.manage"),
    body: () => emptyBody,
    handle: async ({ params, access, context }) =>
      Response.json(await renewPasswordLink(access, params.person, context), {
        status: 201,
      }),
  }),
});
