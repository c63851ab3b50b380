import { requirePartner } from "@/lib/platform/access/require";
import { emptyBody, routes, write } from "@/lib/platform/http/route";
import { removeAlertAddress } from "@/lib/team/server/alert-addresses";

type Params = { partner: string; address: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("alert-address", {
  DELETE: write({
    access: ({ partner }: Params) => requirePartner(partner, "team.write"),
    body: () => emptyBody,
    takesAway: () => true,
    handle: ({ params: { address }, access, context }) =>
      removeAlertAddress(access, address, context),
  }),
});
