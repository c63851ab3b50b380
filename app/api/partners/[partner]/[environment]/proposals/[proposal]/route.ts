import { requirePartner } from "@/lib/access/require";
import { decideProposal } from "@/lib/approvals/decide";
import { dismissEnded } from "@/lib/approvals/read-ended";
import { dismissedSchema, type Dismissed } from "@/lib/approvals/ended-proposals";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";
import { decisionSchema, type Decision } from "@/lib/webhooks/proposals/decision";

type Params = { partner: string; environment: string; proposal: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("proposals.proposal", {
  POST: write<Params, unknown, Decision>({
    access: ({ partner }) => requirePartner(partner, "webhooks.approve"),
    body: () => decisionSchema,
    handle: async ({ request, params, requestId, body }) =>
      Response.json(await decideProposal(params, body, originOf(request, requestId))),
  }),
  /** Its author has seen how it ended. */
  PATCH: write<Params, unknown, Dismissed>({
    access: ({ partner }) => requirePartner(partner, "proposals.follow"),
    body: () => dismissedSchema,
    handle: async ({ params }) => {
      await dismissEnded(params);
      return Response.json({});
    },
  }),
});
