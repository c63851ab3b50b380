import { requireStaffFor } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { changePartner } from "@/lib/partners/server/change-partner";
import { partnerChangeSchema, type PartnerChange } from "@/lib/partners/model/change-requests";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("partner", {
  PATCH: write<Params, unknown, PartnerChange>({
    access: ({ partner }) => requireStaffFor(partner, "partners.manage"),
    body: () => partnerChangeSchema,
    handle: async ({ params, body, context }) =>
      Response.json(await changePartner(params.partner, body, context)),
  }),
});
