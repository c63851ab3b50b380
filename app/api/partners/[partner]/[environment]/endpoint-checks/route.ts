import { checkRequestSchema } from "@/lib/endpoint-check/model/request";
import { checkEndpoint } from "@/lib/endpoint-check/server/check";
import { lastChecks } from "@/lib/endpoint-check/server/stored";
import { requirePartner } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { read, routes, write } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("endpoint-checks", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: ({ params, access }) => lastChecks(access, params.environment),
  }),
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "endpoints.check"),
    body: () => checkRequestSchema({ allowPrivateTargets: env().allowPrivateTargets }),
    handle: ({ params, access, body, context }) =>
      checkEndpoint(access, params.environment, body, context),
  }),
});
