import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";
import { diagnose } from "@/lib/support/server/support-view";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("diagnosis", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: async ({ params, access, requestId }) => ({
      text: await diagnose(access, params.environment, requestId),
    }),
  }),
});
