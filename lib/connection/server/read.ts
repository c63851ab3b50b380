import "server-only";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import type { Connection } from "@/lib/connection/model/connection";
import { storedConnection } from "./stored";

/** How Gancho signs in to the payment service for this partner. Throws `not_found`. */
export async function readConnection(
  { partner }: PartnerAccess<"connection.read">,
  environmentName: string,
): Promise<Connection> {
  return storedConnection(partner.id, requireEnvironment(environmentName));
}
