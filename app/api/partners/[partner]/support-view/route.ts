import { requireStaffFor } from "@/lib/platform/access/require";
import { routes, write, emptyBody } from "@/lib/platform/http/route";
import { openSupportView, endSupportView } from "@/lib/support/server/support-view";
import { supportViewRequestSchema } from "@/lib/support/model/support-view";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("support-view", {
  POST: write({
    access: ({ partner }: Params) => requireStaffFor(partner, "support_view.open"),
    body: () => supportViewRequestSchema,
    status: 201,
    handle: ({ access, body, context }) => openSupportView(access, body, context),
  }),
  DELETE: write({
    access: ({ partner }: Params) => requireStaffFor(partner, "support_view.open"),
    body: () => emptyBody,
    takesAway: () => true,
    handle: ({ access, context }) => endSupportView(access, context),
  }),
});
