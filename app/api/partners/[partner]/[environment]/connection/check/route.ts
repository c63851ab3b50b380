import { requirePartner } from "@/lib/platform/access/require";
import { checkConnection } from "@/lib/connection/server/check";
import { routes, write, emptyBody } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("connection.check", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "connection.write"),
    body: () => emptyBody,
    handle: ({ params, access, context }) => checkConnection(access, params.environment, context),
  }),
});
