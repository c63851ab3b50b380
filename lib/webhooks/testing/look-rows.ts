import type { Database } from "@/lib/platform/database/tables";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import type { RemoteState } from "@/lib/webhooks/server/observe/remote-state";
import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import type { Insertable } from "kysely";

// Written as `storeLook` does, whose imports Playwright cannot load.

type Rows = {
  confirmed: Insertable<Database["confirmed_configurations"]>;
  types: Insertable<Database["observed_types"]>[];
};

/**
 * The rows of a connection after one look that showed this, as if Gancho had sent the values. It counts at any base
 * address, for any client.
 */
export function lookRows(connection_id: string, remote: RemoteState, at = Date.now()): Rows {
  const moment = { looked_steady: 0, looked_at: at };
  const source = { base_url: null, client_id: null };
  const remote_json = JSON.stringify(remote);
  return {
    confirmed: { connection_id, ...moment, ...source, epoch: 1, remote_json },
    types: webhookTypes.map((type) => {
      const webhook = remote.webhooks[type];
      const state: WebhookVersion = webhook
        ? {
            callbackUrl: webhook.callbackUrl,
            fingerprint: webhook.fingerprint,
            ...(webhook.fingerprint === null && { hidden: "absent" as const }),
          }
        : null;
      return {
        connection_id,
        type,
        shown_json: JSON.stringify(state),
        shown_since: at,
        shown_since_steady: 0,
        looked_at: at,
        settled_json: JSON.stringify(state),
        recent_json: "[]",
        counted_at: at,
        difference_json: null,
        sent_value: state?.fingerprint ?? null,
        sent_none: state && !state.fingerprint ? 1 : 0,
        had_value: state?.fingerprint ? 1 : 0,
        shows_values: state?.fingerprint ? 1 : 0,
        asked_by: "a save that is gone",
        stored_steady: 0,
      };
    }),
  };
}
