import "server-only";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { makeFault } from "@/lib/platform/payment-service/answers/judgement";
import type {
  CallOptions,
  ListedWebhook,
  ListResult,
  PartnerConnection,
} from "@/lib/platform/payment-service/types";
import type { WebhookVersion, WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import { partnerApi } from "./partner-api";
import type { Secret } from "@/lib/platform/runtime/secret";
import { isMasked } from "@/lib/platform/secrets/model/stand-in";
import {
  eventKinds,
  type WebhookType,
  webhookTypes,
} from "@/lib/platform/payment-service/contract/terms";
import { fingerprint, partnerMac } from "@/lib/platform/secrets/partner-mac";
import * as z from "zod";

/** The place of a configuration: a partner's connection for one environment. */
export type ConnectionRef = EnvironmentRef & { connection: PartnerConnection };

/** The Authorization values that the service shows. Only a reveal sends one out of the server. */
export type RemoteValues = Partial<Record<WebhookType, Secret>>;

export type RemoteFetch =
  | {
      ok: true;
      remote: RemoteState;
      values: RemoteValues;
      /** When the answer came, on this process's monotonic clock (`performance.now()`). */
      answeredAt: number;
    }
  | { ok: false; fault: Fault };

/**
 * Reads the service's list, and stores nothing. A "not found" worded differently than in docs/contract.md § 7.2 is
 * `misconfigured` where the service is known to have held something: nothing can be removed there, so such an answer
 * does not mean that nothing is registered.
 */
export async function fetchRemoteState(
  { partnerId, connection }: ConnectionRef,
  { hasHeld }: { hasHeld: boolean },
  options: CallOptions,
): Promise<RemoteFetch> {
  const list = await partnerApi().list(connection, options);
  if (!list.ok) return list;
  const answeredAt = performance.now();
  if (list.unclear && hasHeld)
    return { ok: false, fault: makeFault("misconfigured", "list", { upstreamStatus: 404 }) };
  return { ok: true, ...(await remoteStateOf(db(), partnerId, list)), answeredAt };
}

/** Ignores case. Without a type: the one with all of these event kinds (docs/contract.md § 6). */
function typeOf({ type, events }: Pick<ListedWebhook, "type" | "events">): WebhookType | undefined {
  if (type !== null) return webhookTypes.find((known) => known === type.toLowerCase());
  if (!events || events.length === 0) return undefined;
  return webhookTypes.find((known) => {
    const kinds: readonly string[] = eventKinds[known];
    return events.every((event) => kinds.includes(event));
  });
}

/** Whether this is a service's placeholder for a value: asterisks, bullets, an ellipsis, or the word for it. */
function looksMasked(authorization: Secret | null): boolean {
  const value = authorization?.reveal() ?? "";
  return isMasked(value) || /\*{2,}|[•●…]|\.{3}$|redacted/iu.test(value);
}

const shared = {
  callbackUrl: z.string(),
  /**
   * The full HMAC of what the service shows, also of two values at once, hexadecimal; null when nothing is set. People
   * see a different one.
   */
  fingerprint: z.string().nullable(),
  /** It shows a placeholder instead of the value. */
  masked: z.literal(true).optional(),
  authorizationConflict: z.boolean(),
  events: z.array(z.string()).nullable(),
};

/** What the service held at one time, without secret values: stored, compared and shown. */
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

/** Sorts the service's items by type, and keeps unrecognised ones to show them. Returns the values separately. */
async function remoteStateOf(
  executor: Executor,
  partnerId: string,
  list: Extract<ListResult, { ok: true }>,
): Promise<{ remote: RemoteState; values: RemoteValues }> {
  const remote: RemoteState = { webhooks: {}, unrecognised: [], unclear: list.unclear };
  const values: RemoteValues = {};
  // One after the other: the first fingerprint loads the key into memory for the others.
  for (const { authorization, bothValues, ...listed } of list.webhooks) {
    const item = {
      ...listed,
      fingerprint: await fingerprintOrNull(
        executor,
        partnerId,
        authorization ?? bothValues ?? null,
      ),
      ...(looksMasked(authorization) && { masked: true as const }),
    };
    const type = typeOf(item);
    const earlier = type && remote.webhooks[type];
    if (earlier) earlier.duplicate = true;
    if (!type || earlier) remote.unrecognised.push(item);
    else {
      const { type: stated, ...webhook } = item;
      remote.webhooks[type] = { ...webhook, duplicate: false, inferred: stated === null };
      if (authorization) values[type] = authorization;
    }
  }
  return { remote, values };
}

export async function fingerprintOrNull(
  executor: Executor,
  partnerId: string,
  value: Secret | null,
): Promise<string | null> {
  return value && fingerprint(executor, partnerId, value);
}

/** What the service shows of one type. */
export function versionOf(webhook: RemoteWebhook | undefined): WebhookVersion {
  if (!webhook) return null;
  const { callbackUrl, fingerprint, authorizationConflict, masked } = webhook;
  if (masked) return { callbackUrl, fingerprint: null, hidden: "masked" };
  if (authorizationConflict) return { callbackUrl, fingerprint, conflict: true };
  return { callbackUrl, fingerprint, ...(fingerprint === null && { hidden: "absent" as const }) };
}

/**
 * The same, or `unreadable`: two items of one type say nothing, nor does a "not found" in other words than the
 * contract's. An item without a type may be of any type that is missing.
 */
export function shownOf(
  { webhooks, unrecognised, unclear }: RemoteState,
  type: WebhookType,
): WebhookVersion | "unreadable" {
  const webhook = webhooks[type];
  const mayBeHere = !webhook && unrecognised.some((item) => item.type === null);
  return unclear || mayBeHere || webhook?.duplicate ? "unreadable" : versionOf(webhook);
}

export function versionsOf({ webhooks }: RemoteState): WebhookVersions {
  return webhookTypes.map((type) => ({ type, state: versionOf(webhooks[type]) }));
}

/**
 * Identifies one state of the configuration: states with the same revision are equal in everything a save depends on.
 * null when nothing is registered. Keyed, so that it reveals nothing about the Authorization values, and for each
 * environment: otherwise a guess saved in one could be compared with another's value.
 */
export async function revisionOf(
  executor: Executor,
  { partnerId, environment }: EnvironmentRef,
  remote: RemoteState,
): Promise<string | null> {
  const partOf = (type: string | null, item: RemoteWebhook | RemoteState["unrecognised"][number]) =>
    JSON.stringify([type, item.callbackUrl, item.fingerprint, item.authorizationConflict]);
  const items = [
    ...webhookTypes.flatMap((type) => {
      const webhook = remote.webhooks[type];
      return webhook ? [partOf(type, webhook)] : [];
    }),
    // In a fixed order: the service's means nothing.
    ...remote.unrecognised.map((item) => partOf(item.type, item)).sort(),
  ];
  if (items.length === 0) return null;
  const state = JSON.stringify([environment, items]);
  return (await partnerMac(executor, partnerId, "revision", state)).slice(0, 32);
}
