import { requirePartner } from "@/lib/platform/access/require";
import { exportHistory } from "@/lib/history/server/export/export";
import { readHistory } from "@/lib/history/server/read/read";
import { historyQuerySchema } from "@/lib/history/model/query";
import { downloadResponse } from "@/lib/platform/http/download-response";
import { parseFields } from "@/lib/platform/http/parse-fields";
import { read, routes } from "@/lib/platform/http/route";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("history", {
  GET: read<Params, unknown>({
    access: ({ partner }) => requirePartner(partner, "history.read"),
    handle: async ({ request, params, requestId }) => {
      const { searchParams } = new URL(request.url);
      const query = parseFields(historyQuerySchema, Object.fromEntries(searchParams));
      const { partner } = params;
      const { format } = query;
      return format
        ? downloadResponse(await exportHistory(partner, { ...query, format }, requestId))
        : Response.json(await readHistory(partner, query));
    },
  }),
});
