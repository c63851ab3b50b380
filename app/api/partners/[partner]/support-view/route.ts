import { requireStaffFor } from "@/lib/platform/access/require";
import { emptyBody } from "@/lib/platform/http/empty-body";
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
    handle: async ({ params, body, context }) =>
      Response.json(await openSupportView(params.partner, body, context), {
        status: 201,
      }),
  }),
  DELETE: write<Params, unknown, object>({
    access: ({ partner }) => requireStaffFor(partner, "support_view.open"),
    body: () => emptyBody,
    handle: async ({ params, context }) => {
      await endSupportView(params.partner, context);
      return Response.json({});
    },
  }),
});
