import { readArrivalBody } from "@/lib/capture/server/captures";
import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string; arrival: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("arrival", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: ({ params, access }) => readArrivalBody(access, params.environment, params.arrival),
  }),
});
