import { requirePartner } from "@/lib/platform/access/require";
import { routes, write } from "@/lib/platform/http/route";
import { fourEyesSchema } from "@/lib/team/model/requests";
import { switchFourEyes } from "@/lib/team/server/four-eyes/switch-four-eyes";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("four-eyes", {
  PATCH: write({
    access: ({ partner }: Params) => requirePartner(partner, "four_eyes.write"),
    body: () => fourEyesSchema,
    handle: ({ access, body, context }) => switchFourEyes(access, body.on, context, body.asked),
  }),
});
