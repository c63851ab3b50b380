import { requirePartner } from "@/lib/platform/access/require";
import { readConnection } from "@/lib/connection/server/read";
import { replaceConnection } from "@/lib/connection/server/replace";
import { connectionRequestSchema, type ConnectionRequest } from "@/lib/connection/model/request";
import { read, routes, write } from "@/lib/platform/http/route";

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
    handle: async ({ params, body, context }) => {
      const result = await replaceConnection(params.partner, params.environment, body, context);
      return Response.json(result, { status: "outcome" in result ? 202 : 200 });
    },
  }),
});
