import type { Seen } from "@/lib/partners/server/list/overview";
import type { RemoteState, RemoteWebhook } from "./snapshot";
import { webhookTypes } from "@/lib/webhooks/model/types";

/** What the list of partners shows of a look at the service. */
export function overviewOfRemote({ webhooks }: RemoteState): Seen {
  return {
    hosts: { pix_in: hostOf(webhooks.pix_in), pix_out: hostOf(webhooks.pix_out) },
    withoutAuthorization: webhookTypes.filter((type) => {
      const webhook = webhooks[type];
      return webhook && webhook.fingerprint === null && !webhook.authorizationConflict;
    }),
  };
}

/** The service may hold what is no address; it is shown as it is, as far as there is room. */
function hostOf(webhook: RemoteWebhook | undefined): string | null {
  if (!webhook) return null;
  const { callbackUrl } = webhook;
  return URL.canParse(callbackUrl) ? new URL(callbackUrl).host : callbackUrl.slice(0, 255);
}
