import "server-only";
import { clientAddress } from "@/lib/platform/http/model/client-address";
import { headers } from "next/headers";
import type { Caller } from "@/lib/platform/auth/sign-in/caller";

/** Who sent the request at hand. */
export async function presentCaller(requestId: string): Promise<Caller> {
  const sent = await headers();
  return { requestId, clientAddress: clientAddress(sent), userAgent: sent.get("user-agent") };
}
