import { requireStaff } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { changeStaff } from "@/lib/staff/server/staff";
import { staffChangeSchema } from "@/lib/staff/model/staff";

type Params = { person: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("staff.person", {
  PATCH: write({
    access: (_params: Params) => requireStaff("staff.manage"),
    body: () => staffChangeSchema,
    takesAway: ({ disabled }) => disabled,
    handle: async ({ params, access, body, context }) => ({
      person: await changeStaff(access, params.person, body, context),
    }),
  }),
});
