import { requirePartner } from "@/lib/platform/access/require";
import { accountContext } from "@/lib/account/server/step-up";
import { routes, write } from "@/lib/platform/http/route";
import { revealAuthorization } from "@/lib/webhooks/server/reveal/reveal";
import { revealRequestSchema } from "@/lib/webhooks/model/revealed";

type Params = { partner: string; environment: string; type: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("webhooks.reveal", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "authorization.reveal"),
    body: () => revealRequestSchema,
    handle: async ({ params, access, body, context }) => {
      const own = await accountContext(context);
      return revealAuthorization(access, params, body, own);
    },
  }),
});
