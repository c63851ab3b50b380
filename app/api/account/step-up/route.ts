import { requireSignedIn } from "@/lib/platform/access/require";
import { stepUpProofSchema } from "@/lib/account/model/account";
import { accountOrigin } from "@/lib/account/server/account-origin";
import { beginStepUp, confirmStepUp } from "@/lib/account/server/step-up";
import { emptyBody } from "@/lib/platform/http/empty-body";
import { originOf } from "@/lib/platform/http/origin-of";
import { routes, write } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.step-up", {
  POST: write({
    access: requireSignedIn,
    body: () => emptyBody,
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
