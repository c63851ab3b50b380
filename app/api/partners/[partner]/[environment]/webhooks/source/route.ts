import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";
import { readSource } from "@/lib/webhooks/server/answer/source";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("webhook-source", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.write"),
    handle: ({ request, params, access, requestId }) =>
      readSource(access, params.environment, new URL(request.url).searchParams.get("from"), {
        requestId,
      }),
  }),
});
