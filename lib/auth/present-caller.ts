import "server-only";
import { clientAddress } from "@/lib/client-address";
import { headers } from "next/headers";
import type { Caller } from "./caller";

/** Who sent the request at hand. */
export async function presentCaller(requestId: string): Promise<Caller> {
  const sent = await headers();
  return { requestId, clientAddress: clientAddress(sent), userAgent: sent.get("user-agent") };
}
