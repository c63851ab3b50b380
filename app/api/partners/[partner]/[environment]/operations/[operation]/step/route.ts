import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";
import { readStep } from "@/lib/webhooks/server/answer/operation";

type Params = { partner: string; environment: string; operation: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("operation.step", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: async ({ params, access }) => ({
      step: readStep(access, params.environment, params.operation),
    }),
  }),
});
