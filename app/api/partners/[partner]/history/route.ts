import { requirePartner } from "@/lib/access/require";
import { exportHistory } from "@/lib/history/export";
import { readHistory } from "@/lib/history/read";
import { historyQuerySchema } from "@/lib/history/view/query";
import { parseFields } from "@/lib/http/parse-fields";
import { read, routes } from "@/lib/http/route";

type Params = { partner: string };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("history", {
  GET: read<Params, unknown>({
    access: ({ partner }) => requirePartner(partner, "history.read"),
    handle: async ({ request, params, requestId }) => {
      const { searchParams } = new URL(request.url);
      const query = parseFields(historyQuerySchema, Object.fromEntries(searchParams));
      if (!query.format) return Response.json(await readHistory(params.partner, query));
      const format = query.format;
      const download = await exportHistory(params.partner, { ...query, format }, requestId);
      return new Response(download.body, {
        headers: {
          "content-type": download.contentType,
          "content-disposition": `attachment; filename="${download.fileName}"`,
        },
      });
    },
  }),
});
