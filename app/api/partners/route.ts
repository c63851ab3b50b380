import { requireOwnAccount, requireStaff } from "@/lib/platform/access/require";
import { read, routes, write, parseFields } from "@/lib/platform/http/route";
import { newPartnerSchema } from "@/lib/partners/model/change-requests";
import { createPartner } from "@/lib/partners/server/change-partner";
import { listWithAttention } from "@/lib/attention/server/partners";
import { partnerQuerySchema } from "@/lib/partners/model/page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("partners", {
  GET: read({
    access: requireOwnAccount,
    handle: async ({ request, access }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      return listWithAttention(access, parseFields(partnerQuerySchema, query));
    },
  }),
  POST: write({
    access: () => requireStaff("partners.manage"),
    body: () => newPartnerSchema,
    status: 201,
    handle: ({ access, body, context }) => createPartner(access, body, context),
  }),
});
