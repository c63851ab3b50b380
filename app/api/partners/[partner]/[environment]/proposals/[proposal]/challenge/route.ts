import { requirePartner } from "@/lib/platform/access/require";
import { routes, write, emptyBody } from "@/lib/platform/http/route";
import { beginSigning } from "@/lib/webhooks/server/proposals/sign";

type Params = { partner: string; environment: string; proposal: string };

/** What a passkey has to sign to approve the proposal; approving it takes the answer. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("proposals.challenge", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.approve"),
    body: () => emptyBody,
    handle: async ({ params, access }) => Response.json(await beginSigning(access, params)),
  }),
});
