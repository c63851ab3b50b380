import { requireStaff } from "@/lib/access/require";
import { originOf } from "@/lib/http/origin-of";
import { read, routes, write } from "@/lib/http/route";
import { createStaff } from "@/lib/staff/create-staff";
import { listStaff } from "@/lib/staff/list-staff";
import { newStaffSchema } from "@/lib/staff/new-staff";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff", {
  GET: read({
    access: () => requireStaff("staff.manage"),
    handle: async () => Response.json({ people: await listStaff() }),
  }),
  POST: write({
    access: () => requireStaff("staff.manage"),
    body: () => newStaffSchema,
    handle: async ({ request, requestId, body }) =>
      Response.json(await createStaff(body, originOf(request, requestId)), { status: 201 }),
  }),
});
