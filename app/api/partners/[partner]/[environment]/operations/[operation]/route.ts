import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";
import { readOperation } from "@/lib/webhooks/server/answer/operation";

type Params = { partner: string; environment: string; operation: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("operation", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: ({ params, access, requestId }) =>
      readOperation(access, params.environment, params.operation, { requestId }),
  }),
});
