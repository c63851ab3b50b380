import { replacedValues } from "@/lib/endpoint-check/server/replaced";
import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("replaced-values", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: async ({ params, access }) =>
      Response.json(await replacedValues(access, params.environment)),
  }),
});
