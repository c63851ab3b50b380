import { requireStaffFor } from "@/lib/platform/access/require";
import { emptyBody } from "@/lib/platform/http/empty-body";
import { originOf } from "@/lib/platform/http/origin-of";
import { routes, write } from "@/lib/platform/http/route";
import { endSupportView } from "@/lib/support/server/end-view";
import { openSupportView } from "@/lib/support/server/open-view";
import {
  supportViewRequestSchema,
  type SupportViewRequest,
} from "@/lib/support/model/support-view";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("support-view", {
  POST: write<Params, unknown, SupportViewRequest>({
    access: ({ partner }) => requireStaffFor(partner, "support_view.open"),
    body: () => supportViewRequestSchema,
    handle: async ({ request, params, requestId, body }) =>
      Response.json(await openSupportView(params.partner, body, originOf(request, requestId)), {
        status: 201,
      }),
  }),
  DELETE: write<Params, unknown, object>({
    access: ({ partner }) => requireStaffFor(partner, "support_view.open"),
    body: () => emptyBody,
    handle: async ({ request, params, requestId }) => {
      await endSupportView(params.partner, originOf(request, requestId));
      return Response.json({});
    },
  }),
});
