import { readAttention } from "@/lib/attention/server/attention";
import { requirePartner } from "@/lib/platform/access/require";
import { read, routes } from "@/lib/platform/http/route";

type Params = { partner: string };

/** What needs attention in each environment, and how much waits for the person's decision. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("attention", {
  GET: read({
    access: ({ partner }: Params) => requirePartner(partner, "webhooks.read"),
    handle: ({ access }) => readAttention(access),
  }),
});
