import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";
import { readBand } from "@/lib/watch/server/band";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("readings", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: async ({ params, access }) => Response.json(await readBand(access, params.environment)),
  }),
});
