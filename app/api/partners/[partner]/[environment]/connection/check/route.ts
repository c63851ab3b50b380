import { requirePartner } from "@/lib/platform/access/require";
import { clientAddress } from "@/lib/platform/http/model/client-address";
import { checkConnection } from "@/lib/connection/server/check";
import { emptyBody } from "@/lib/platform/http/empty-body";
import { routes, write } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("connection.check", {
  POST: write<Params, unknown, unknown>({
    access: ({ partner }) => requirePartner(partner, "connection.write"),
    body: () => emptyBody,
    handle: async ({ request, params, requestId }) =>
      Response.json(
        await checkConnection(params.partner, params.environment, {
          requestId,
          clientAddress: clientAddress(request.headers),
        }),
      ),
  }),
});
