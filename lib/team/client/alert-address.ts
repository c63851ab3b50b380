import { sendJson } from "@/lib/platform/http/client/fetch-json";
import { confirmedAddressSchema } from "@/lib/team/model/team";

const timeout = 10_000;

/** By the link that was mailed to it. Never throws. The token travels in the body. */
export function confirmAlertAddress(token: string) {
  return sendJson("/api/alert-addresses/confirm", {
    body: { token },
    timeout,
    parse: (body) => confirmedAddressSchema.safeParse(body).data,
  });
}
