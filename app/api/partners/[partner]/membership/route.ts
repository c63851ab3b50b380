import { requirePartner } from "@/lib/platform/access/require";
import { emptyBody, routes, write } from "@/lib/platform/http/route";
import { leavePartner } from "@/lib/team/server/members";

type Params = { partner: string };

/** The viewer's own. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("membership", {
  DELETE: write({
    access: ({ partner }: Params) => requirePartner(partner, "team.leave"),
    body: () => emptyBody,
    takesAway: () => true,
    handle: ({ access, context }) => leavePartner(access, context),
  }),
});
