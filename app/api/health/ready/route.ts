import { db } from "@/lib/db/open";
import { read, routes } from "@/lib/http/route";
import { sql } from "kysely";

/** Readiness: the database answers. The payment service is left out: its failures are shown, not answered by taking Gancho away. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("health.ready", {
  GET: read({
    access: async () => undefined,
    handle: async () => {
      await sql`select 1`.execute(db());
      return Response.json({ status: "ok" });
    },
  }),
});
