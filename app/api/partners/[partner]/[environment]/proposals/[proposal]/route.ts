import { requirePartner } from "@/lib/access/require";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { decideProposal } from "@/lib/webhooks/proposals/decide";
import { decisionSchema, type Decision } from "@/lib/webhooks/proposals/decision";

type Params = { partner: string; environment: string; proposal: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("proposals.proposal", {
  POST: write<Params, unknown, Decision>({
    access: ({ partner }) => requirePartner(partner, "webhooks.approve"),
    body: () => decisionSchema,
    handle: async ({ request, params, requestId, body }) =>
      Response.json(await decideProposal(params, body, originOf(request, requestId))),
  }),
});
