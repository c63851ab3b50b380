import "server-only";
import { recentChanges } from "@/lib/history/recent";
import { db } from "@/lib/db/open";
import { shownFingerprints } from "@/lib/secrets/partner-mac";
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
  const fingerprint = await shownFingerprints(db(), place.partnerId);
  const show = (item: Item, type: string | null) =>
    presentItem(item, (stored) => fingerprint({ environment: place.environment, type }, stored));
  return configurationSchema.parse({
    partner: place.partnerId,
    environment: place.environment,
    revision: await revisionOf(db(), place, snapshot),
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
              ...show(webhook, type),
              duplicate: webhook.duplicate,
              lastChange: changeOf(lastChanges[type]),
            },
          ]
        : [];
    }),
    unrecognised: snapshot.unrecognised.map((item) => ({
      type: item.type,
      ...show(item, item.type),
    })),
    recentChanges: recent,
  });
}

type Item = Snapshot["unrecognised"][number] | NonNullable<Snapshot["webhooks"]["pix_in"]>;

function presentItem(item: Item, fingerprint: (stored: string) => string) {
  return {
    callbackUrl: item.callbackUrl,
    authorization: {
      set: item.fingerprint !== null || item.authorizationConflict,
      fingerprint: item.fingerprint && fingerprint(item.fingerprint),
      conflict: item.authorizationConflict,
    },
    events: item.events,
  };
}

function changeOf(change: LastChanges["pix_in"]) {
  return change ? { ...change, at: new Date(change.at).toISOString() } : null;
}
