import { clientAddress } from "@/lib/platform/http/model/client-address";

/** Where a request came from, for the history. */
export function originOf(
  request: Request,
  requestId: string,
): { requestId: string; clientAddress: string | null } {
  return { requestId, clientAddress: clientAddress(request.headers) };
}
