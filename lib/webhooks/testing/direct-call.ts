import type { TestPartner } from "./world";

/** The service's own answer, read directly with the partner's own credentials. */
export type Registered = {
  type: string;
  callback_url: string;
  auth_header?: string;
  events: string[];
};

export type ToRegister = { url: string; type?: string; authorization?: string };

/** Whose credentials are used. */
type Client = Pick<TestPartner, "clientId" | "clientSecret">;

async function bearer(sandboxUrl: string, partner: Client): Promise<string> {
  const basic = Buffer.from(`${partner.clientId}:${partner.clientSecret}`).toString("base64");
  const response = await fetch(`${sandboxUrl}/api/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}`, "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials" }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return `Bearer ${access_token}`;
}

export async function registered(sandboxUrl: string, partner: Client): Promise<Registered[]> {
  const response = await fetch(`${sandboxUrl}/api/v1/webhooks`, {
    headers: { authorization: await bearer(sandboxUrl, partner) },
  });
  if (response.status === 404) return [];
  return ((await response.json()) as { webhooks: Registered[] }).webhooks;
}

/** A change made by another client of the service. */
export async function registerDirectly(
  sandboxUrl: string,
  partner: Client,
  body: ToRegister,
): Promise<void> {
  await fetch(`${sandboxUrl}/api/v1/webhooks`, {
    method: "POST",
    headers: {
      authorization: await bearer(sandboxUrl, partner),
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
}
