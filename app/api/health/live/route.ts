import { read, routes } from "@/lib/platform/http/route";

/** Liveness: the process answers. It says nothing of what it depends on, so that a restart is asked for only where it helps. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("health.live", {
  GET: read({
    access: async () => undefined,
    handle: async () => Response.json({ status: "ok" }),
  }),
});
