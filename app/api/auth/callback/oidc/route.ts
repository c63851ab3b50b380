import { finishSingleSignOn, requireProvider } from "@/lib/platform/auth/oidc/handle";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { routes } from "@/lib/platform/http/route";

/**
 * The provider sends the person here, from its own site; the state in this browser's cookies proves that it was
 * requested.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("single-sign-on.answer", {
  GET: ({ request, requestId }) => finishSingleSignOn(requireProvider(), { request, requestId }),
  // It would use the answer up.
  HEAD: async () => {
    throw new ProblemError("not_found");
  },
});
