import { requirePartner } from "@/lib/platform/access/require";
import { exportHistory } from "@/lib/history/server/export/export";
import { readHistory } from "@/lib/history/server/read/history";
import { historyQuerySchema } from "@/lib/history/model/query";
import { downloadResponse } from "@/lib/platform/http/download-response";
import { readerOf } from "@/lib/platform/i18n/reader";
import { read, routes, parseFields } from "@/lib/platform/http/route";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("history", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "history.read"),
    handle: async ({ request, access, requestId }) => {
      const { searchParams } = new URL(request.url);
      const query = parseFields(historyQuerySchema, Object.fromEntries(searchParams));
      const { format } = query;
      return format
        ? downloadResponse(
            await exportHistory(access, { ...query, format }, requestId, readerOf(request)),
          )
        : readHistory(access, query);
    },
  }),
});
