import { requireSignedIn } from "@/lib/access/require";
import { stepUpProofSchema } from "@/lib/account/account";
import { accountOrigin } from "@/lib/account/account-origin";
import { beginStepUp, confirmStepUp } from "@/lib/account/step-up";
import { nothing } from "@/lib/http/nothing";
import { originOf } from "@/lib/http/origin-of";
import { routes, write } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.step-up", {
  POST: write({
    access: requireSignedIn,
    body: () => nothing,
    handle: async () => Response.json(await beginStepUp()),
  }),
  PUT: write({
    access: requireSignedIn,
    body: () => stepUpProofSchema,
    handle: async ({ request, requestId, body }) => {
      await confirmStepUp(body, await accountOrigin(originOf(request, requestId)));
      return Response.json({});
    },
  }),
});
