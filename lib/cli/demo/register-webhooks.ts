import type { SandboxClient } from "@/lib/sandbox/client-list";
import { demoWebhooks } from "./data";

/**
 * Registers the demo's webhooks at the sandbox, over HTTP like any client of the contract, and only for a partner
 * that has nothing registered: a second start, or one after `kill -9`, overwrites nothing that somebody saved.
 * Returns a line about each partner for whom it could not be done.
 */
export async function registerWebhooks(
  sandbox: string,
  clients: ReadonlyMap<string, SandboxClient>,
): Promise<string[]> {
  const notes: string[] = [];
  for (const [id, webhook] of Object.entries(demoWebhooks)) {
    const client = clients.get(id);
    const note = client ? await register(sandbox, client, webhook) : "no client of this id";
    if (note) notes.push(`${id}: ${note}`);
  }
  return notes;
}

/** null when it is registered, now or before. */
async function register(
  sandbox: string,
  client: SandboxClient,
  webhook: Record<string, string>,
): Promise<string | null> {
  const token = await fetchToken(sandbox, client);
  if (!token) return "the sandbox gives this client no token";
  const authorization = `Bearer ${token}`;
  const list = await fetch(`${sandbox}/api/v1/webhooks`, { headers: { authorization } });
  if (list.status !== 404) return list.ok ? null : `the sandbox lists nothing (${list.status})`;
  const answer = await fetch(`${sandbox}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(webhook),
  });
  return answer.ok ? null : `the sandbox refuses the webhook (${answer.status})`;
}

async function fetchToken(sandbox: string, client: SandboxClient): Promise<string | null> {
  const pair = `${client.client_id}:${client.client_secret}`;
  const answer = await fetch(`${sandbox}/api/oauth/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ grant_type: "client_credentials" }),
  });
  const body: unknown = await answer.json().catch(() => null);
  const token = body instanceof Object && "access_token" in body ? body.access_token : null;
  return answer.ok && typeof token === "string" ? token : null;
}
