import { dailyCheckSchema } from "@/lib/endpoint-check/model/daily";
import { switchDaily } from "@/lib/endpoint-check/server/daily";
import { requirePartner } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("endpoint-checks-daily", {
  PUT: write({
    access: ({ partner }: Params) => requirePartner(partner, "endpoints.watch"),
    body: () => dailyCheckSchema,
    handle: ({ params, access, body, context }) =>
      switchDaily(access, params.environment, body, context),
  }),
});
