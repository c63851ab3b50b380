import { historiesBehindAnchor } from "@/lib/history/server/verify/behind-anchor";
import { readiness } from "@/lib/installation/server/readiness";
import { read, routes } from "@/lib/platform/http/route";

/** The payment service is left out: its failures are shown, and are no reason to stop traffic to Gancho. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("health.ready", {
  GET: read({
    access: async () => undefined,
    handle: async () => {
      const status = await readiness();
      // No 503: a failover that lost its last commits looks the same, and then no instance would serve.
      const note = historiesBehindAnchor() > 0 ? { note: "older_than_anchor_file" } : {};
      return Response.json({ status, ...note }, { status: status === "ok" ? 200 : 503 });
    },
  }),
});
