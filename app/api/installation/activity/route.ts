import { requireStaff } from "@/lib/platform/access/require";
import { exportActivity, readActivity } from "@/lib/history/server/read/activity";
import { downloadResponse } from "@/lib/platform/http/download-response";
import { activityQuerySchema } from "@/lib/history/model/query";
import { readerOf } from "@/lib/platform/i18n/reader";
import { read, routes, parseFields } from "@/lib/platform/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("installation.activity", {
  GET: read({
    access: () => requireStaff("installation.read"),
    handle: async ({ request, access, requestId }) => {
      const { searchParams } = new URL(request.url);
      const query = parseFields(activityQuerySchema, Object.fromEntries(searchParams));
      const { format } = query;
      return format
        ? downloadResponse(
            await exportActivity(access, { ...query, format }, requestId, readerOf(request)),
          )
        : readActivity(access, query);
    },
  }),
});
