import { listStaff, createStaff } from "@/lib/staff/server/staff";
import { requireStaff } from "@/lib/platform/access/require";
import { read, routes, write } from "@/lib/platform/http/route";
import { newStaffSchema } from "@/lib/staff/model/staff";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff", {
  GET: read({
    access: () => requireStaff("staff.manage"),
    handle: async ({ access }) => ({ people: await listStaff(access) }),
  }),
  POST: write({
    access: () => requireStaff("staff.manage"),
    body: () => newStaffSchema,
    status: 201,
    handle: ({ access, body, context }) => createStaff(access, body, context),
  }),
});
