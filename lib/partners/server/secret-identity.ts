import "server-only";
import type { FieldIdentity } from "@/lib/platform/secrets/field";

/** Where a connection's client secret stands; its ciphertext opens nowhere else. */
export function secretIdentity(connectionId: string): FieldIdentity {
  return { table: "connections", row: connectionId, column: "secret" };
}
