import "server-only";
import { recentChanges } from "@/lib/history/recent";
import { db } from "@/lib/db/open";
import { configurationSchema, type Configuration } from "./configuration";
import type { LastChanges } from "./confirmed";
import type { Place } from "./look";
import { revisionOf, type Snapshot } from "./snapshot";
import { webhookTypes } from "./types";

type Shown = { snapshot: Snapshot; lastChanges: LastChanges; confirmedAt: number };

/** The configuration as the browser gets it, chosen field by field: nothing secret rides along. */
export async function present(
  place: Place,
  { snapshot, lastChanges, confirmedAt }: Shown,
  staleReason?: Configuration["staleReason"],
): Promise<Configuration> {
  const recent = await recentChanges(place.partnerId, place.environment);
  return configurationSchema.parse({
    partner: place.partnerId,
    environment: place.environment,
    revision: await revisionOf(db(), place.partnerId, snapshot),
    confirmedAt: new Date(confirmedAt).toISOString(),
    stale: staleReason !== undefined,
    ...(staleReason && { staleReason }),
    ...(snapshot.unclear && { unclear: true }),
    webhooks: webhookTypes.flatMap((type) => {
      const webhook = snapshot.webhooks[type];
      return webhook
        ? [
            {
              type,
              ...presentItem(webhook),
              duplicate: webhook.duplicate,
              lastChange: changeOf(lastChanges[type]),
            },
          ]
        : [];
    }),
    unrecognised: snapshot.unrecognised.map((item) => ({ type: item.type, ...presentItem(item) })),
    recentChanges: recent,
  });
}

function presentItem(
  item: Snapshot["unrecognised"][number] | NonNullable<Snapshot["webhooks"]["pix_in"]>,
) {
  return {
    callbackUrl: item.callbackUrl,
    authorization: {
      set: item.fingerprint !== null || item.authorizationConflict,
      fingerprint: shortFingerprint(item.fingerprint),
      conflict: item.authorizationConflict,
    },
    events: item.events,
  };
}

/** Enough to compare by eye; the whole HMAC would allow nothing more. */
function shortFingerprint(fingerprint: string | null): string | null {
  return fingerprint?.slice(0, 8) ?? null;
}

function changeOf(change: LastChanges["pix_in"]) {
  return change ? { ...change, at: new Date(change.at).toISOString() } : null;
}
