import { requireStaff, requireUser } from "@/lib/access/require";
import { originOf } from "@/lib/http/origin-of";
import { parseFields } from "@/lib/http/parse-fields";
import { read, routes, write } from "@/lib/http/route";
import { newPartnerSchema, type NewPartner } from "@/lib/partners/change-requests";
import { createPartner } from "@/lib/partners/create-partner";
import { listPartners } from "@/lib/partners/list";
import { partnerQuerySchema } from "@/lib/partners/page";

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
    handle: async ({ request, requestId, body }) =>
      Response.json(await createPartner(body, originOf(request, requestId)), { status: 201 }),
  }),
});
