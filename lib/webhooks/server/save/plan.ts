import "server-only";
import type { RegisterInput } from "@/lib/platform/payment-service/types";
import type { Secret } from "@/lib/platform/runtime/secret";
import {
  isAsWritten,
  whyRetype,
  type LastKnownContent,
  type Written,
} from "@/lib/webhooks/server/read/last-known";
import {
  type RemoteState,
  type RemoteValues,
  type RemoteWebhook,
  versionOf,
} from "@/lib/webhooks/server/read/remote-state";
import type { Retype } from "@/lib/webhooks/model/configuration";
import { originOf } from "@/lib/webhooks/model/rules/callback-url";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  compareVersions,
  find,
  isSameAddress,
  sameVersion,
  type ShownValue,
  type WebhookVersion,
  type WebhookVersions,
} from "@/lib/webhooks/model/webhook-version";
import {
  typesOf,
  webhookTypes,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";

/** One type's desired version, and what the service shows of it. */
export type DesiredChange = {
  type: WebhookType;
  url: string;
  authorization: Secret | null;
  before: WebhookVersion;
  known: ShownValue | undefined;
  /** The same without the secret, for the record. */
  desired: NonNullable<WebhookVersion>;
  /** Whether anything has to be sent for it. */
  changes: boolean;
};

/** A save's request, whatever the form was opened on. */
type Asked = Omit<SaveRequest, "revision">;

/** The state that the service was just read to hold, and what was known of it before. */
export type FetchedState = {
  remote: RemoteState;
  values: RemoteValues;
  last: Pick<LastKnownContent, "written" | "lastAddress" | "known">;
  /** Earlier saves that may still take effect. */
  saves: readonly { desired: WebhookVersions }[];
};

/** An objection to a change: the field it belongs to and the rule's name. */
type PlanProblem = { path: string; code: "retype_for_new_origin" | Retype };

/**
 * Turns a request into each type's desired version. "keep" is resolved here, from what the service shows now, because
 * the contract does not say what leaving the value out does on an overwrite.
 */
export function planOf(
  { type: appliesTo, url, authorization: { action } }: Asked,
  { remote, values, last, saves }: FetchedState,
  typed: { value: Secret; fingerprint: string } | null,
): DesiredChange[] {
  return typesOf(appliesTo).map((type) => {
    const webhook = remote.webhooks[type];
    const written = last.written?.[type];
    const isNew = webhook !== undefined && last.known?.[type] === null;
    const isOpen = saves.some(({ desired }) => find(desired, type)?.fingerprint === written?.value);
    const shared = { type, url, known: shownOf(webhook, written, { isNew, isOpen }) };
    const left = action === "keep" ? leftAsIs(url, type, { remote, last }) : null;
    const kept = { value: values[type], fingerprint: webhook?.fingerprint };
    const { value, fingerprint } = action === "keep" ? kept : { ...typed };
    const authorization = value ?? null;
    if (left) return { ...shared, authorization, before: left, desired: left, changes: false };
    const desired = { callbackUrl: url, fingerprint: fingerprint ?? null };
    const shown = versionOf(webhook);
    const state = settled(last, type, shown);
    // Known to be as desired, and shown otherwise: somebody may have changed it just now, so it is written.
    const before = sameVersion(state, desired) ? shown : state;
    const changes = action === "keep" || !sameVersion(before, desired);
    return { ...shared, authorization, before, desired, changes };
  });
}

/**
 * `isNew`: shown but not known yet. A save may be rolled back, and another client may have set a value after it.
 * `isOpen`: what was written last may not be in force yet, so that another value tells nothing.
 */
function shownOf(
  webhook: RemoteWebhook | undefined,
  written: Written | undefined,
  { isNew, isOpen }: { isNew: boolean; isOpen: boolean },
): ShownValue | undefined {
  if (!written) return undefined;
  // A list that shows no value does not prove by itself that none is set.
  if (written.value === null && (webhook?.fingerprint ?? null) === null) {
    if (written.seen) return "none";
    return isNew ? "other" : undefined;
  }
  if (webhook && isAsWritten(webhook, written)) return "value";
  return webhook && !isNew && isOpen ? undefined : "other";
}

/**
 * What a type is before the save: the known state if the service shows one that may come from a lagging replica or be
 * rolled back, else the shown one.
 */
function settled(
  { known }: FetchedState["last"],
  type: WebhookType,
  shown: WebhookVersion,
): WebhookVersion {
  const before = known?.[type];
  return before !== undefined && compareVersions(before, shown) === "different" ? before : shown;
}

/** What "keep" leaves as it is: the type at this address, whatever its value. null: "keep" writes. */
function leftAsIs(
  url: string,
  type: WebhookType,
  { remote, last }: Pick<FetchedState, "remote" | "last">,
): WebhookVersion {
  const isHere = addressesOf(type, { remote, last }).every((one) => isSameAddress(one, url));
  return isHere ? settled(last, type, versionOf(remote.webhooks[type])) : null;
}

/** The shown address and the last known one: the service may leave a type out of an answer. */
function addressesOf(
  type: WebhookType,
  { remote, last }: Pick<FetchedState, "remote" | "last">,
): string[] {
  const addresses = [remote.webhooks[type]?.callbackUrl, last.lastAddress?.[type]];
  return addresses.filter((address) => address !== undefined);
}

/**
 * Why the Authorization value has to be typed. Keeping it with another address, or with one that the service may roll
 * back, means writing what the list shows, so the list has to show exactly what Gancho wrote last. Moving the address to
 * another origin may also give that origin's operator the value, even unsent: a service may keep a value that a save
 * leaves out, also one that an earlier save set and the list does not show yet. Only an admin may do that, who could
 * reveal the value anyway.
 */
export function keepRefusal(
  { authorization: { action }, type: appliesTo, url }: Asked,
  { remote, last, saves }: Omit<FetchedState, "values">,
  isAdmin: boolean,
): PlanProblem | null {
  if (action === "replace") return null;
  for (const type of typesOf(appliesTo)) {
    const webhook = remote.webhooks[type];
    const written = last.written?.[type];
    const asked = saves.flatMap(({ desired }) => find(desired, type)?.callbackUrl ?? []);
    const addresses = [...addressesOf(type, { remote, last }), ...asked];
    const hasNone = webhook?.fingerprint === null && isAsWritten(webhook, written);
    const mayGoAlong = addresses.some((address) => originOf(address) !== originOf(url)) && !hasNone;
    if (!isAdmin && mayGoAlong) return { path: "authorization", code: "retype_for_new_origin" };
    const writes = action === "keep" && leftAsIs(url, type, { remote, last }) === null;
    // The service may only leave the type out of this answer.
    const lacks = !webhook && written?.value ? "retype_not_shown" : null;
    const code = writes ? (webhook ? whyRetype(webhook, written) : lacks) : null;
    if (code) return { path: "authorization", code };
  }
  return null;
}

/**
 * The calls of the plan: one without `type` if all types become the same (docs/contract.md § 4.3), else one for each.
 * Gancho never sends the combined form of `type`.
 */
export function callsFor(plan: readonly DesiredChange[]): RegisterInput[] {
  const [first] = plan;
  const isForAll = webhookTypes.every((type) => plan.some((change) => change.type === type));
  if (first && isForAll && plan.every((change) => sameChange(first, change)))
    return [{ type: null, ...body(first) }];
  return plan.map((change) => ({ type: change.type, ...body(change) }));
}

function body({ url, authorization }: DesiredChange) {
  return { url, authorization };
}

function sameChange(a: DesiredChange, b: DesiredChange): boolean {
  return a.url === b.url && a.authorization?.reveal() === b.authorization?.reveal();
}
