import { requireStaff } from "@/lib/access/require";
import { exportActivity, readActivity } from "@/lib/history/activity";
import { downloadResponse } from "@/lib/http/download-response";
import { activityQuerySchema } from "@/lib/history/view/query";
import { parseFields } from "@/lib/http/parse-fields";
import { read, routes } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("installation.activity", {
  GET: read({
    access: () => requireStaff("installation.read"),
    handle: async ({ request, requestId }) => {
      const { searchParams } = new URL(request.url);
      const query = parseFields(activityQuerySchema, Object.fromEntries(searchParams));
      const { format } = query;
      return format
        ? downloadResponse(await exportActivity({ ...query, format }, requestId))
        : Response.json(await readActivity(query));
    },
  }),
});
