import { requirePartner } from "@/lib/access/require";
import { clientAddress } from "@/lib/client-address";
import { readConnection } from "@/lib/connection/read";
import { replaceConnection } from "@/lib/connection/replace";
import { connectionRequestSchema, type ConnectionRequest } from "@/lib/connection/request";
import { read, routes, write } from "@/lib/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("connection", {
  GET: read<Params, unknown>({
    access: ({ partner }) => requirePartner(partner, "connection.read"),
    handle: async ({ params }) =>
      Response.json(await readConnection(params.partner, params.environment)),
  }),
  PUT: write<Params, unknown, ConnectionRequest>({
    access: ({ partner }) => requirePartner(partner, "connection.write"),
    body: () => connectionRequestSchema,
    handle: async ({ request, params, requestId, body }) => {
      const result = await replaceConnection(params.partner, params.environment, body, {
        requestId,
        clientAddress: clientAddress(request.headers),
      });
      return Response.json(result, { status: "outcome" in result ? 202 : 200 });
    },
  }),
});
