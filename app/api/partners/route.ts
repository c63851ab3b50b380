import { requireStaff, requireUser } from "@/lib/platform/access/require";
import { parseFields } from "@/lib/platform/http/parse-fields";
import { read, routes, write } from "@/lib/platform/http/route";
import { newPartnerSchema, type NewPartner } from "@/lib/partners/model/change-requests";
import { createPartner } from "@/lib/partners/server/create-partner";
import { listPartners } from "@/lib/partners/server/list/list";
import { partnerQuerySchema } from "@/lib/partners/model/page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("partners", {
  GET: read({
    access: requireUser,
    handle: async ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      return Response.json(await listPartners(parseFields(partnerQuerySchema, query)));
    },
  }),
  POST: write<Record<string, string>, unknown, NewPartner>({
    access: () => requireStaff("partners.manage"),
    body: () => newPartnerSchema,
    handle: async ({ body, context }) =>
      Response.json(await createPartner(body, context), { status: 201 }),
  }),
});
