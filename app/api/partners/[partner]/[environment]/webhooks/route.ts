import { requirePartner } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { read, routes, write } from "@/lib/platform/http/route";
import { readConfiguration } from "@/lib/webhooks/server/answer/read";
import { saveRequestSchema } from "@/lib/webhooks/model/rules/save-request";
import { saveConfiguration } from "@/lib/webhooks/server/answer/save";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("webhooks", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: ({ params, access, requestId }) =>
      readConfiguration(access, params.environment, { requestId }),
  }),
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.write"),
    body: () => saveRequestSchema({ allowPrivateTargets: env().allowPrivateTargets }),
    handle: async ({ params, access, body, context }) => {
      const result = await saveConfiguration(access, params.environment, body, context);
      const isLater = ["waiting", "accepted", "partly"].includes(result.outcome);
      return Response.json(result, { status: isLater ? 202 : 200 });
    },
  }),
});
