import { requireStaffFor } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { changePartner } from "@/lib/partners/server/change-partner";
import { partnerChangeSchema } from "@/lib/partners/model/change-requests";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("partner", {
  PATCH: write({
    access: ({ partner }: Params) => requireStaffFor(partner, "partners.manage"),
    body: () => partnerChangeSchema,
    takesAway: ({ suspended, name }) => suspended === true && name === undefined,
    handle: ({ access, body, context }) => changePartner(access, body, context),
  }),
});
