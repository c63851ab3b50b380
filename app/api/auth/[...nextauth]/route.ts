import { handleAuth } from "@/lib/auth/handle";
import { maxBodyBytes, readAtMost } from "@/lib/http/read-body";
import { routes } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api/auth/[...nextauth]", {
  GET: ({ request, requestId }) => handleAuth(request, requestId),
  POST: async ({ request, requestId }) =>
    handleAuth(request, requestId, await readAtMost(request, maxBodyBytes)),
});
