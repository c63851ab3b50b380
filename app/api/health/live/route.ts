import { read, routes } from "@/lib/platform/http/route";

/**
 * Liveness: the process answers. It says nothing of its dependencies, so that only a problem that a restart solves
 * causes one.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("health.live", {
  GET: read({
    access: async () => undefined,
    handle: async () => ({ status: "ok" }),
  }),
});
