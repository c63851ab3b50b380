import "server-only";
import type { Executor } from "@/lib/db/open";
import { fingerprint, partnerMac } from "@/lib/secrets/partner-mac";
import type { Secret } from "@/lib/secrets/secret";
import * as z from "zod";
import type { Current } from "./current";
import { webhookTypes } from "./types";

const shared = {
  callbackUrl: z.string(),
  /** The whole HMAC, hexadecimal; null when not set. People see another one that is made of it (`shownFingerprints`). */
  fingerprint: z.string().nullable(),
  authorizationConflict: z.boolean(),
  events: z.array(z.string()).nullable(),
};

/** What the service held at one moment, without secret values: what is stored, compared and shown. */
export const snapshotSchema = z.object({
  webhooks: z.partialRecord(z.enum(webhookTypes), z.object({ ...shared, duplicate: z.boolean() })),
  unrecognised: z.array(z.object({ ...shared, type: z.string().nullable() })),
  unclear: z.boolean(),
});

export type Snapshot = z.infer<typeof snapshotSchema>;
export type SnapshotWebhook = NonNullable<Snapshot["webhooks"]["pix_in"]>;

export async function snapshotOf(
  executor: Executor,
  partnerId: string,
  current: Current,
): Promise<Snapshot> {
  const print = (value: Secret | null) => fingerprintOrNull(executor, partnerId, value);
  const webhooks: Snapshot["webhooks"] = {};
  for (const type of webhookTypes) {
    const item = current.webhooks[type];
    if (!item) continue;
    const { authorization, ...rest } = item;
    webhooks[type] = { ...rest, fingerprint: await print(authorization) };
  }
  const unrecognised = await Promise.all(
    current.unrecognised.map(async ({ authorization, ...rest }) => ({
      ...rest,
      fingerprint: await print(authorization),
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
  snapshot: Snapshot,
): Promise<string | null> {
  const items = [
    ...webhookTypes.map((type) => [type, snapshot.webhooks[type]] as const),
    ...snapshot.unrecognised.map((item) => [item.type, item] as const),
  ].flatMap(([type, item]) =>
    item ? [[type, item.callbackUrl, item.fingerprint, item.authorizationConflict]] : [],
  );
  if (items.length === 0) return null;
  const state = JSON.stringify([environment, items]);
  return (await partnerMac(executor, partnerId, "revision", state)).slice(0, 32);
}
