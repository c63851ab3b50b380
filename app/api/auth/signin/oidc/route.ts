import { providerRequestSchema } from "@/lib/platform/auth/model/sign-in-requests";
import { requireProvider, sendToProvider } from "@/lib/platform/auth/oidc/handle";
import { routes, write } from "@/lib/platform/http/route";

/** Begins single sign-on, or the step-up at the provider: the answer has the address there. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("single-sign-on.begin", {
  POST: write({
    // Anybody may try; attempts are throttled.
    access: async () => undefined,
    body: () => providerRequestSchema,
    handle: ({ body, request, requestId }) =>
      sendToProvider(requireProvider(), { request, requestId }, body),
  }),
});
