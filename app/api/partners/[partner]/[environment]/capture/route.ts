import { switchSchema } from "@/lib/capture/model/capture";
import { readCaptures, switchCapture } from "@/lib/capture/server/captures";
import { requirePartner } from "@/lib/platform/access/require";
import { read, routes, write } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("capture", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: ({ params, access }) => readCaptures(access, params.environment),
  }),
  PUT: write({
    access: ({ partner }: Params) => requirePartner(partner, "capture.write"),
    body: () => switchSchema,
    takesAway: ({ on }) => !on,
    handle: ({ params, access, body, context }) =>
      switchCapture(access, params.environment, body, context),
  }),
});
