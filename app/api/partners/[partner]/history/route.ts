import { requirePartner } from "@/lib/access/require";
import { exportHistory } from "@/lib/history/export";
import { readHistory } from "@/lib/history/read";
import { historyQuerySchema } from "@/lib/history/view/query";
import { downloadResponse } from "@/lib/http/download-response";
import { parseFields } from "@/lib/http/parse-fields";
import { read, routes } from "@/lib/http/route";

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
