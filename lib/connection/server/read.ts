import "server-only";
import { requireEnvironment, requirePartner } from "@/lib/platform/access/require";
import type { Connection } from "@/lib/connection/model/connection";
import { storedConnection } from "./stored";

/** How Gancho signs in to the payment service for this partner. Throws the problems of `requirePartner`, or `not_found`. */
export async function readConnection(
  partnerId: string,
  environmentName: string,
): Promise<Connection> {
  const { partner } = await requirePartner(partnerId, "connection.read");
  return storedConnection(partner.id, requireEnvironment(environmentName));
}
