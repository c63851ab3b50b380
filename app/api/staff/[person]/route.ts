import { requireStaff } from "@/lib/access/require";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { changeStaff } from "@/lib/staff/change-staff";
import { staffChangeSchema, type StaffChange } from "@/lib/staff/staff";

type Params = { person: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff.person", {
  PATCH: write<Params, unknown, StaffChange>({
    access: () => requireStaff("staff.manage"),
    body: () => staffChangeSchema,
    handle: async ({ request, params, requestId, body }) =>
      Response.json({
        person: await changeStaff(params.person, body, originOf(request, requestId)),
      }),
  }),
});
