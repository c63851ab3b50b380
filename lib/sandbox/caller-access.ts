import { readBasic, readBearer } from "./authorization-header";
import type { Client, ClientDirectory } from "./client-directory";
import type { IpAddress } from "./ip-list";
import type { Tokens } from "./tokens";

/** `reason` is the name of section 7.1 where it has one; it is for the log, because all 401s answer the same. */
export type Access =
  | { ok: true; client: Client }
  | { ok: false; status: 401 | 403; reason: string; client: Client | undefined };

type Caller = { address: IpAddress | null; authorization: string | undefined };

/**
 * Authenticates a request for a token (section 5). Checks the address first: against the list of the named client or,
 * where none is named, all lists. Then the secret, and only with a correct one whether the user is active.
 */
export function accessByCredentials(directory: ClientDirectory, caller: Caller): Access {
  const basic = readBasic(caller.authorization);
  const client = basic.ok ? directory.find(basic.value.userId) : undefined;
  if (!directory.allowsAddress(client, caller.address)) return notAllowed(client);
  if (!basic.ok) return unauthorized(basic.reason, client);
  const matches = directory.secretMatches(client, basic.value.password);
  if (!matches || !client) return unauthorized("Invalid credentials", client);
  return client.active ? { ok: true, client } : unauthorized("User inactive", client);
}

/**
 * Authenticates a later request (section 5), with the same order of checks. A token is worth no more than its client is
 * now.
 */
export async function accessByToken(
  directory: ClientDirectory,
  tokens: Tokens,
  caller: Caller,
): Promise<Access> {
  const bearer = readBearer(caller.authorization);
  const clientId = bearer.ok ? await tokens.verify(bearer.value) : null;
  const client = clientId === null ? undefined : directory.find(clientId);
  if (!directory.allowsAddress(client, caller.address)) return notAllowed(client);
  if (!bearer.ok) return unauthorized(bearer.reason, client);
  if (!client) return unauthorized("Invalid or expired token", client);
  return client.active ? { ok: true, client } : unauthorized("User inactive", client);
}

function notAllowed(client: Client | undefined): Access {
  return { ok: false, status: 403, reason: "IP not whitelisted", client };
}

function unauthorized(reason: string, client: Client | undefined): Access {
  return { ok: false, status: 401, reason, client };
}
