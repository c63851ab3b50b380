import type { WebhookType } from "./terms";

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
