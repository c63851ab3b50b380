import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Client } from "./client-list";
import { isListed, type IpAddress } from "./ip-list";

export type ClientDirectory = {
  find(clientId: string): Client | undefined;
  /** Whether the address is on the client's list; of nobody (undefined), whether it is on anybody's. */
  allowsAddress(client: Client | undefined, address: IpAddress | null): boolean;
  /** Takes the same time for a wrong secret as for a client that does not exist (undefined). */
  secretMatches(client: Client | undefined, secret: string): boolean;
};

/** Who may call the sandbox. */
export function createClientDirectory(clients: readonly Client[]): ClientDirectory {
  const byId = new Map(clients.map((client) => [client.id, client]));
  // Secrets of any length become digests of one length, under a key that nobody knows.
  const key = randomBytes(32);
  const digest = (secret: string) => createHmac("sha256", key).update(secret).digest();
  const digests = new Map(clients.map((client) => [client.id, digest(client.secret)]));
  const nobody = randomBytes(32);

  const isAllowed = (client: Client, address: IpAddress | null) =>
    client.allowedIps === null || isListed(address, client.allowedIps);

  return {
    find: (clientId) => byId.get(clientId),
    allowsAddress: (client, address) =>
      client
        ? isAllowed(client, address)
        : clients.some((candidate) => isAllowed(candidate, address)),
    secretMatches(client, secret) {
      const expected = digests.get(client?.id ?? "") ?? nobody;
      return timingSafeEqual(digest(secret), expected) && client !== undefined;
    },
  };
}
