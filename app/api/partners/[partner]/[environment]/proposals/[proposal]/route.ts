import { requirePartner } from "@/lib/platform/access/require";
import { decideProposal } from "@/lib/approvals/server/decide";
import { dismissProposal } from "@/lib/approvals/server/read-ended";
import { dismissedSchema } from "@/lib/approvals/model/ended-proposals";
import { routes, write } from "@/lib/platform/http/route";
import { decisionSchema } from "@/lib/webhooks/model/proposals/decision";

type Params = { partner: string; environment: string; proposal: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("proposals.proposal", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.approve"),
    body: () => decisionSchema,
    takesAway: ({ decision }) => decision !== "approve",
    handle: ({ params, access, body, context }) => decideProposal(access, params, body, context),
  }),
  /** The author dismisses the outcome. */
  PATCH: write({
    access: ({ partner }: Params) => requirePartner(partner, "proposals.follow"),
    body: () => dismissedSchema,
    handle: ({ params, access }) => dismissProposal(access, params),
  }),
});
