import { closeIncidentSchema } from "@/lib/attention/model/close-incident";
import { closeIncident } from "@/lib/attention/server/close-incident";
import { requirePartner } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";

type Params = { partner: string; environment: string };

/** Ends an incident whose other steps are done, with a note for the history. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("incident", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.write"),
    body: () => closeIncidentSchema,
    handle: ({ params, access, body, context }) =>
      closeIncident(access, params.environment, body, context),
  }),
});
