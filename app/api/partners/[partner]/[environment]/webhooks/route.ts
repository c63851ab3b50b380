import { requirePartner } from "@/lib/access/require";
import { clientAddress } from "@/lib/client-address";
import { env } from "@/lib/env";
import { read, routes, write } from "@/lib/http/route";
import { readConfiguration } from "@/lib/webhooks/read";
import { saveRequestSchema, type SaveRequest } from "@/lib/webhooks/rules/save-request";
import { saveConfiguration } from "@/lib/webhooks/save";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("webhooks", {
  GET: read<Params, unknown>({
    access: ({ partner }) => requirePartner(partner, "webhooks.read"),
    handle: async ({ request, params, requestId }) =>
      Response.json(
        await readConfiguration(params.partner, params.environment, {
          requestId,
          signal: request.signal,
        }),
      ),
  }),
  POST: write<Params, unknown, SaveRequest>({
    access: ({ partner }) => requirePartner(partner, "webhooks.write"),
    body: () => saveRequestSchema({ allowPrivateTargets: env().allowPrivateTargets }),
    handle: async ({ request, params, requestId, body }) => {
      const result = await saveConfiguration(params.partner, params.environment, body, {
        requestId,
        clientAddress: clientAddress(request.headers),
      });
      const isLater = result.outcome === "waiting" || result.outcome === "accepted";
      return Response.json(result, { status: isLater ? 202 : 200 });
    },
  }),
});
