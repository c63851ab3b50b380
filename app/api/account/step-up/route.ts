import { requireSignedIn } from "@/lib/platform/access/require";
import { stepUpProofSchema } from "@/lib/account/model/account";
import { accountContext, beginStepUp, confirmStepUp } from "@/lib/account/server/step-up";
import { routes, write, emptyBody } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("account.step-up", {
  POST: write({
    access: requireSignedIn,
    body: () => emptyBody,
    handle: ({ access }) => beginStepUp(access),
  }),
  PUT: write({
    access: requireSignedIn,
    body: () => stepUpProofSchema,
    handle: async ({ access, body, context }) => {
      await confirmStepUp(access, body, await accountContext(context));
    },
  }),
});
