import { readConnection } from "@/lib/connection/server/stored";
import { requirePartner } from "@/lib/platform/access/require";
import { replaceConnection } from "@/lib/connection/server/replace";
import { connectionRequestSchema } from "@/lib/connection/model/request";
import { read, routes, write } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("connection", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "connection.read"),
    handle: ({ params, access }) => readConnection(access, params.environment),
  }),
  PUT: write({
    access: ({ partner }: Params) => requirePartner(partner, "connection.write"),
    body: () => connectionRequestSchema,
    handle: async ({ params, access, body, context }) => {
      const result = await replaceConnection(access, params.environment, body, context);
      return Response.json(result, { status: "outcome" in result ? 202 : 200 });
    },
  }),
});
