import "server-only";
import type { RegisterInput } from "@/lib/platform/payment-service/types";
import {
  typesOf,
  webhookTypes,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";
import type { Secret } from "@/lib/platform/runtime/secret";
import type { Retype } from "@/lib/webhooks/model/configuration";
import { originOf } from "@/lib/webhooks/model/rules/callback-url";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { isSameAddress, type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { isAlike, isSame } from "@/lib/webhooks/server/observe/look";
import type { ObservedTypes } from "@/lib/webhooks/server/observe/observed";
import {
  versionOf,
  type RemoteState,
  type RemoteValues,
} from "@/lib/webhooks/server/observe/remote-state";
import { whyRetype } from "@/lib/webhooks/server/observe/retype";
import type { SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { explaining } from "@/lib/webhooks/server/observe/saves";

/** What one type is to become, and what the look before the save showed of it. */
export type DesiredChange = {
  type: WebhookType;
  url: string;
  authorization: Secret | null;
  before: WebhookVersion;
  /** The same without the secret, for the record. */
  desired: NonNullable<WebhookVersion>;
  /** Whether anything has to be sent for it. */
  changes: boolean;
};

/** A save's request, whatever the form was opened on. */
type Asked = Omit<SaveRequest, "revision">;

/** What the look before the save showed, and what was observed before. */
export type ShownState = {
  remote: RemoteState;
  values: RemoteValues;
  types: ObservedTypes;
  /** Earlier saves that may still take effect. */
  saves: readonly SaveRecord[];
};

/** An objection to a change: the field it belongs to and the rule's name. */
type PlanProblem = { path: string; code: "retype_for_new_origin" | Retype };

/**
 * Turns a request into each type's desired version. "keep" is resolved here, from what the list shows now, because the
 * contract does not say what leaving the value out does on an overwrite.
 */
export function planOf(
  { type: appliesTo, url, authorization: { action } }: Asked,
  { remote, values, types }: Pick<ShownState, "remote" | "values" | "types">,
  typed: { value: Secret; fingerprint: string } | null,
): DesiredChange[] {
  return typesOf(appliesTo).map((type) => {
    const webhook = remote.webhooks[type];
    const { settled } = types[type];
    const before = versionOf(webhook);
    if (action === "keep" && before && isLeft(url, before, settled))
      return { type, url, authorization: null, before, desired: before, changes: false };
    const kept = { value: values[type], fingerprint: webhook?.fingerprint };
    const { value, fingerprint } = action === "keep" ? kept : { ...typed };
    const desired = { callbackUrl: url, fingerprint: fingerprint ?? null };
    // That no value is shown does not say that none is set: a removal is always sent.
    const isThere =
      action === "replace" &&
      settled !== undefined &&
      isSame(before, desired) &&
      isSame(settled, desired);
    return { type, url, authorization: value ?? null, before, desired, changes: !isThere };
  });
}

/** What "keep" leaves as it is: the type at this address, if that is settled. */
function isLeft(
  url: string,
  shown: NonNullable<WebhookVersion>,
  settled: WebhookVersion | undefined,
): boolean {
  return isSameAddress(shown.callbackUrl, url) && settled !== undefined && isAlike(shown, settled);
}

/**
 * Every address that may be in force: the shown and the settled one, those of saves that still explain what is shown,
 * and those of a difference that nobody acknowledged. The service may leave a type out of an answer.
 */
export function addressesOf(
  type: WebhookType,
  { remote, types, saves }: Omit<ShownState, "values">,
): string[] {
  const { settled, difference } = types[type];
  const asked = saves.flatMap((save) =>
    explaining(save).flatMap((each) => (each.type === type ? [each.asked] : [])),
  );
  const versions = [
    versionOf(remote.webhooks[type]),
    settled,
    difference?.before,
    difference?.after,
  ];
  return [...versions, ...asked].flatMap((version) => version?.callbackUrl ?? []);
}

/**
 * Why the Authorization value has to be typed (R11). Moving the address to another origin may also give that origin's
 * operator the value, even unsent: a service may keep a value that a save leaves out, also one that an earlier save set
 * and the list does not show yet. Only an admin may do that, who could reveal the value anyway.
 */
export function keepRefusal(
  { authorization: { action }, type: appliesTo, url }: Asked,
  state: Omit<ShownState, "values">,
  isAdmin: boolean,
): PlanProblem | null {
  if (action === "replace") return null;
  for (const type of typesOf(appliesTo)) {
    const webhook = state.remote.webhooks[type];
    const observed = state.types[type];
    const retype = whyRetype(type, state);
    const hasNone = webhook?.fingerprint === null && retype === null;
    const moves = addressesOf(type, state).some((address) => originOf(address) !== originOf(url));
    if (!isAdmin && moves && !hasNone)
      return { path: "authorization", code: "retype_for_new_origin" };
    const shown = versionOf(webhook);
    const isWritten = action === "keep" && !(shown && isLeft(url, shown, observed.settled));
    if (isWritten && retype) return { path: "authorization", code: retype };
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
