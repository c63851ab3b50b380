import { dismissRequestSchema } from "@/lib/first-steps/model/dismiss";
import { dismissFirstSteps } from "@/lib/first-steps/server/first-steps";
import { requirePartner } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("first-steps", {
  PUT: write({
    access: ({ partner }: Params) => requirePartner(partner, "first_steps.follow"),
    body: () => dismissRequestSchema,
    handle: async ({ params, access, body }) => {
      await dismissFirstSteps(access, params.environment, body);
      return Response.json({});
    },
  }),
});
