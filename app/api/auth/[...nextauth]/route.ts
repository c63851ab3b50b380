import { handleAuth } from "@/lib/auth/handle";
import { maxBodyBytes, readAtMost } from "@/lib/http/read-body";
import { routes } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api/auth/[...nextauth]", {
  GET: ({ request }) => handleAuth(request),
  POST: async ({ request }) => handleAuth(request, await readAtMost(request, maxBodyBytes)),
});
