import { requirePartner } from "@/lib/platform/access/require";
import { readEnded } from "@/lib/approvals/server/read-ended";
import { read, routes } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

/** Lists how the viewer's own proposals ended. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("proposals", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "proposals.follow"),
    handle: ({ params, access }) => readEnded(access, params.environment),
  }),
});
