import { requireStaff } from "@/lib/platform/access/require";
import { parseFields, read, routes } from "@/lib/platform/http/route";
import { overviewQuerySchema } from "@/lib/watch/model/overview";
import { readOverview } from "@/lib/watch/server/overview";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("overview", {
  GET: read({
    access: () => requireStaff("overview.read"),
    handle: async ({ request, access }) => {
      const { searchParams } = new URL(request.url);
      const query = parseFields(overviewQuerySchema, Object.fromEntries(searchParams));
      return Response.json(await readOverview(access, query));
    },
  }),
});
