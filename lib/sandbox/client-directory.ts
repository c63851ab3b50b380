import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { SandboxClient } from "./client-list";
import { isListed, parseIpRange, type IpAddress, type IpRange } from "./ip-list";

export type Client = {
  id: string;
  active: boolean;
  /** null: from anywhere. */
  allowedIps: readonly IpRange[] | null;
};

export type ClientDirectory = {
  find(clientId: string): Client | undefined;
  /** Whether the address is on the client's list; without a client (undefined), whether it is on any list. */
  allowsAddress(client: Client | undefined, address: IpAddress | null): boolean;
  /** Takes the same time for a wrong secret as for a client that does not exist (undefined). */
  secretMatches(client: Client | undefined, secret: string): boolean;
};

/** Who may call the sandbox. */
export function createClientDirectory(entries: readonly SandboxClient[]): ClientDirectory {
  const clients = entries.map(toClient);
  const byId = new Map(clients.map((client) => [client.id, client]));
  // Secrets of any length become digests of one length, under a key that nobody knows.
  const key = randomBytes(32);
  const digest = (secret: string) => createHmac("sha256", key).update(secret).digest();
  const digests = new Map(entries.map((entry) => [entry.client_id, digest(entry.client_secret)]));
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

function toClient({ client_id, active = true, allowed_ips }: SandboxClient): Client {
  return {
    id: client_id,
    active,
    allowedIps: allowed_ips?.flatMap((text) => parseIpRange(text) ?? []) ?? null,
  };
}
