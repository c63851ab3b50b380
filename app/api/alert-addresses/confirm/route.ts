import { routes, write } from "@/lib/platform/http/route";
import { confirmAddressSchema } from "@/lib/team/model/requests";
import { confirmAlertAddress } from "@/lib/team/server/alert-addresses";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("alert-addresses.confirm", {
  POST: write({
    // Anybody who reads the mailbox may confirm it.
    access: async () => undefined,
    body: () => confirmAddressSchema,
    handle: ({ body, context }) => confirmAlertAddress(body.token, context),
  }),
});
