/**
 * The words, limits and bodies of the payment service's interface. Shared by the browser, the server and the sandbox;
 * imports nothing. Section numbers are those of the contract.
 */

/** The transaction types, section 2.2, in display order. */
export const webhookTypes = ["pix_in", "pix_out"] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** The types of a save: one, or all of them. */
export type AppliesTo = WebhookType | "both";

export function typesOf(appliesTo: AppliesTo | null): WebhookType[] {
  return webhookTypes.filter((type) => appliesTo === type || appliesTo === "both");
}

/** Event kinds the service can deliver for each type, section 6. */
export const eventKinds = {
  pix_in: ["collection.paid"],
  pix_out: ["transfer.completed", "transfer.failed", "transfer.refunded"],
} as const satisfies Record<WebhookType, readonly string[]>;

/** Lengths in characters, section 8. */
export const limits = { callbackUrl: 255, authorization: 100, event: 100 } as const;

export const contractPaths = { token: "/api/oauth/token", webhooks: "/api/v1/webhooks" } as const;

/** The bodies of the interface, by their name in openapi.json, with which a test compares their fields. */
export type Wire = {
  TokenRequest: { grant_type: "client_credentials" };
  Token: { access_token: string; token_type: "Bearer"; expires_in: number };
  WebhookConfiguration: {
    type?: WebhookType;
    callback_url: string;
    auth_header?: string;
    authorization?: string;
    events: string[];
  };
  WebhookList: { webhooks: Wire["WebhookConfiguration"][] };
  WebhookRegistration: {
    url: string;
    type?: WebhookType | "pix_in, pix_out" | "pix_in,pix_out";
    authorization?: string;
  };
  Message: { message: string };
  Error: { error: string };
};
