import { read, routes } from "@/lib/platform/http/route";

/**
 * Liveness: the process answers. Dependencies are left out, so that only a problem that a restart can fix triggers one.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("health.live", {
  GET: read({
    access: async () => undefined,
    handle: async () => ({ status: "ok" }),
  }),
});
