import { requirePartner } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { alertAddressSchema } from "@/lib/team/model/requests";
import { addAlertAddress } from "@/lib/team/server/alert-addresses";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("alert-addresses", {
  POST: write({
    access: ({ partner }: Params) => requirePartner(partner, "team.write"),
    body: () => alertAddressSchema,
    status: 201,
    handle: ({ access, body, context }) => addAlertAddress(access, body.address, context),
  }),
});
