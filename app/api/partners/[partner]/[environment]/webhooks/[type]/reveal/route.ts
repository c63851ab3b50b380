import { requirePartner } from "@/lib/platform/access/require";

import { emptyBody, routes, write } from "@/lib/platform/http/route";
import { revealAuthorization } from "@/lib/webhooks/server/answer/reveal";

type Params = { partner: string; environment: string; type: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("webhooks.reveal", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "authorization.reveal"),
    body: () => emptyBody,
    handle: ({ params, access, context }) => revealAuthorization(access, params, context),
  }),
});
