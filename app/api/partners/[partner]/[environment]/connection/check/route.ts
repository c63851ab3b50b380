import { requirePartner } from "@/lib/access/require";
import { clientAddress } from "@/lib/client-address";
import { checkConnection } from "@/lib/connection/check";
import { nothing } from "@/lib/http/nothing";
import { routes, write } from "@/lib/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("connection.check", {
  POST: write<Params, unknown, unknown>({
    access: ({ partner }) => requirePartner(partner, "connection.write"),
    body: () => nothing,
    handle: async ({ request, params, requestId }) =>
      Response.json(
        await checkConnection(params.partner, params.environment, {
          requestId,
          clientAddress: clientAddress(request.headers),
        }),
      ),
  }),
});
