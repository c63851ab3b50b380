import { requireUser } from "@/lib/access/require";
import { parseFields } from "@/lib/http/parse-fields";
import { read, routes } from "@/lib/http/route";
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
});
