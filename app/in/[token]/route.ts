import { receive } from "@/lib/capture/server/receive";
import { readStartOf } from "@/lib/platform/http/read-body";
import { read, routes } from "@/lib/platform/http/route";

/**
 * An address of a partner's test environment that receives in place of its own. Whoever has it may send: no session, no
 * origin. It answers nothing but that the message is kept.
 */
const receiving = read({
  access: async () => undefined,
  handle: async ({ request, params }: { request: Request; params: { token: string } }) => {
    const { method, headers } = request;
    const body = (keep: number, most: number) => readStartOf(request, keep, most);
    await receive(params.token, { method, headers, body });
    return new Response(null, { status: 204 });
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("in", {
  GET: receiving,
  POST: receiving,
  PUT: receiving,
  PATCH: receiving,
  DELETE: receiving,
});
