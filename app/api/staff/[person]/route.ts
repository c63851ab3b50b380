import { requireStaff } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { changeStaff } from "@/lib/staff/server/change-staff";
import { staffChangeSchema, type StaffChange } from "@/lib/staff/model/staff";

type Params = { person: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff.person", {
  PATCH: write<Params, unknown, StaffChange>({
    access: () => requireStaff("staff.manage"),
    body: () => staffChangeSchema,
    handle: async ({ params, body, context }) =>
      Response.json({
        person: await changeStaff(params.person, body, context),
      }),
  }),
});
