import { answerProviderLogout } from "@/lib/platform/auth/oidc/back-channel-logout";
import { routes } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("back-channel-logout", {
  // The provider itself calls it; its signature says who it is.
  POST: ({ request, requestId }) => answerProviderLogout(request, requestId),
});
