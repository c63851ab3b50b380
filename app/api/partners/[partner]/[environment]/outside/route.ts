import { requirePartner } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { acknowledgementSchema } from "@/lib/webhooks/model/outside";
import { acknowledgeOutside } from "@/lib/webhooks/server/answer/acknowledge";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("outside", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.write"),
    body: () => acknowledgementSchema,
    handle: ({ params, access, body, context }) =>
      acknowledgeOutside(access, params.environment, body, context),
  }),
});
