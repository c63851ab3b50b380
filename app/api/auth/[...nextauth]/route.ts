import { handleAuth } from "@/lib/platform/auth/sign-in/handle-auth";
import { maxBodyBytes, readAtMost } from "@/lib/platform/http/read-body";
import { routes } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api/auth/[...nextauth]", {
  GET: ({ request, requestId }) => handleAuth(request, requestId),
  POST: async ({ request, requestId }) =>
    handleAuth(request, requestId, await readAtMost(request, maxBodyBytes)),
});
