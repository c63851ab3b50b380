import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { fingerprint, partnerMac } from "@/lib/platform/secrets/partner-mac";
import type { Secret } from "@/lib/platform/runtime/secret";
import * as z from "zod";
import { looksMasked, type Current } from "./current";
import { webhookTypes } from "@/lib/webhooks/model/types";

const shared = {
  callbackUrl: z.string(),
  /** The whole HMAC of what the service shows, hexadecimal; null when nothing is. People see another one. */
  fingerprint: z.string().nullable(),
  /** What it shows is no value, but stands for one. */
  masked: z.literal(true).optional(),
  authorizationConflict: z.boolean(),
  events: z.array(z.string()).nullable(),
};

/** What the service held at one moment, without secret values: what is stored, compared and shown. */
export const remoteStateSchema = z.object({
  webhooks: z.partialRecord(
    z.enum(webhookTypes),
    z.object({ ...shared, duplicate: z.boolean(), inferred: z.boolean().default(false) }),
  ),
  unrecognised: z.array(z.object({ ...shared, type: z.string().nullable() })),
  unclear: z.boolean(),
});

export type RemoteState = z.infer<typeof remoteStateSchema>;
export type RemoteWebhook = NonNullable<RemoteState["webhooks"]["pix_in"]>;

export async function remoteStateOf(
  executor: Executor,
  partnerId: string,
  current: Current,
): Promise<RemoteState> {
  const shownOf = async (value: Secret | null) => ({
    fingerprint: await fingerprintOrNull(executor, partnerId, value),
    ...(looksMasked(value) && { masked: true as const }),
  });
  const webhooks: RemoteState["webhooks"] = {};
  for (const type of webhookTypes) {
    const item = current.webhooks[type];
    if (!item) continue;
    const { authorization, ...rest } = item;
    webhooks[type] = { ...rest, ...(await shownOf(authorization)) };
  }
  const unrecognised = await Promise.all(
    current.unrecognised.map(async ({ authorization, ...rest }) => ({
      ...rest,
      ...(await shownOf(authorization)),
    })),
  );
  return { webhooks, unrecognised, unclear: current.unclear };
}

export async function fingerprintOrNull(
  executor: Executor,
  partnerId: string,
  value: Secret | null,
): Promise<string | null> {
  return value && fingerprint(executor, partnerId, value);
}

/**
 * Names one state of the configuration; two states with the same name are the same in everything a save depends on.
 * null when nothing is registered. Keyed, so that it tells nothing of the Authorization values, and of one environment:
 * else two of them would tell whether a guess that was saved in one is the value of the other.
 */
export async function revisionOf(
  executor: Executor,
  { partnerId, environment }: { partnerId: string; environment: string },
  remote: RemoteState,
): Promise<string | null> {
  const partOf = (type: string | null, item: RemoteWebhook | RemoteState["unrecognised"][number]) =>
    JSON.stringify([type, item.callbackUrl, item.fingerprint, item.authorizationConflict]);
  const items = [
    ...webhookTypes.flatMap((type) => {
      const webhook = remote.webhooks[type];
      return webhook ? [partOf(type, webhook)] : [];
    }),
    // In an order of our own: theirs means nothing.
    ...remote.unrecognised.map((item) => partOf(item.type, item)).sort(),
  ];
  if (items.length === 0) return null;
  const state = JSON.stringify([environment, items]);
  return (await partnerMac(executor, partnerId, "revision", state)).slice(0, 32);
}
