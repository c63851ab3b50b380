import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";
import { diagnose } from "@/lib/support/server/diagnosis";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("diagnosis", {
  GET: read<Params, unknown>({
    access: ({ partner }) => requirePartner(partner, "webhooks.read"),
    handle: async ({ params, requestId }) =>
      Response.json({ text: await diagnose(params.partner, params.environment, requestId) }),
  }),
});
