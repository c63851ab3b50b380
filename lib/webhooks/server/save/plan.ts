import "server-only";
import type { RegisterInput } from "@/lib/platform/payment-service/types";
import type { Secret } from "@/lib/platform/runtime/secret";
import {
  type RemoteState,
  type RemoteValues,
  type RemoteWebhook,
  versionOf,
  type Fidelity,
} from "@/lib/webhooks/server/read/remote-state";
import { originOf } from "@/lib/webhooks/model/keeping";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  canonicalUrl,
  sameVersion,
  type WebhookVersion,
} from "@/lib/webhooks/model/webhook-version";
import { typesOf, type WebhookType } from "@/lib/webhooks/model/types";

/** One type's desired version, and what the service shows of it. */
export type DesiredChange = {
  type: WebhookType;
  url: string;
  authorization: Secret | null;
  before: WebhookVersion;
  /** The same without the secret, for the record. */
  desired: NonNullable<WebhookVersion>;
};

/** A save's request, whatever the form was opened on. */
type Asked = Omit<SaveRequest, "revision">;

/** The state that the service was just read to hold. */
export type FetchedState = { remote: RemoteState; values: RemoteValues; fidelity: Fidelity };

/** An objection to a change: the field it belongs to and the rule's name. */
type PlanProblem = {
  path: string;
  code: "retype_for_new_origin" | "conflicting_values" | "retype_not_shown" | "retype_unproven";
};

/**
 * Turns a request into each type's desired version. "keep" is resolved here, from what the service shows now, because
 * the contract does not say what leaving the value out does on an overwrite.
 */
export function planOf(
  { type: appliesTo, url, authorization }: Asked,
  { remote, values, fidelity }: FetchedState,
  typed: { value: Secret; fingerprint: string } | null,
): DesiredChange[] {
  return typesOf(appliesTo).map((type) => {
    const before = versionOf(remote.webhooks[type], fidelity);
    const shared = { type, url, before };
    if (authorization.action !== "keep")
      return {
        ...shared,
        authorization: typed?.value ?? null,
        desired: { callbackUrl: url, fingerprint: typed?.fingerprint ?? null },
      };
    // The same address with its present value: nothing changes, whatever that value is.
    const unchanged = before && canonicalUrl(before.callbackUrl) === canonicalUrl(url);
    return {
      ...shared,
      authorization: values[type] ?? null,
      desired: unchanged ? before : { callbackUrl: url, fingerprint: before?.fingerprint ?? null },
    };
  });
}

export function changesState({
  before,
  desired,
}: Pick<DesiredChange, "before" | "desired">): boolean {
  return !sameVersion(before, desired);
}

/**
 * Why the Authorization value cannot be kept. With two values under the contract's two names, or two items of one type,
 * there is no one value to keep. A shown value may be kept only where the list is proven to show values. And moving the
 * address to another origin without typing the value could hand it to that origin's operator: a service may also keep
 * what a save leaves out. Only an admin may, who could reveal it; that does not cover an attacker who already is admin.
 */
export function keepingProblem(
  { authorization: { action }, type: appliesTo, url }: Asked,
  { remote, fidelity }: FetchedState,
  isAdmin: boolean,
): PlanProblem | null {
  if (action === "replace") return null;
  const path = "authorization";
  const kept = typesOf(appliesTo).flatMap((type) => {
    const webhook = remote.webhooks[type];
    return webhook ? [{ ...webhook, state: versionOf(webhook, fidelity) }] : [];
  });
  if (action === "keep" && kept.some((webhook) => webhook.authorizationConflict))
    return { path, code: "conflicting_values" };
  if (!isAdmin && kept.some((webhook) => mayTakeValueAlong(webhook, url, fidelity)))
    return { path, code: "retype_for_new_origin" };
  if (action === "remove") return null;
  const moving = kept.filter(({ callbackUrl }) => canonicalUrl(callbackUrl) !== canonicalUrl(url));
  if (moving.some(({ duplicate }) => duplicate)) return { path, code: "conflicting_values" };
  if (moving.some(({ state }) => state?.hidden)) return { path, code: "retype_not_shown" };
  return fidelity === "unknown" && moving.length > 0 ? { path, code: "retype_unproven" } : null;
}

function mayTakeValueAlong(
  {
    callbackUrl,
    fingerprint,
    authorizationConflict,
    state,
  }: RemoteWebhook & { state: WebhookVersion },
  url: string,
  fidelity: Fidelity,
): boolean {
  const showsNone = fingerprint === null && !authorizationConflict && !state?.hidden;
  return originOf(callbackUrl) !== originOf(url) && !(showsNone && fidelity === "proven");
}

/**
 * The calls of the plan: one without `type` where both types become the same (docs/contract.md § 4.3), else one for
 * each. Gancho never sends the combined form of `type`.
 */
export function callsFor(plan: readonly DesiredChange[]): RegisterInput[] {
  const [first, second] = plan;
  if (first && second && sameChange(first, second)) return [{ type: null, ...body(first) }];
  return plan.map((change) => ({ type: change.type, ...body(change) }));
}

function body({ url, authorization }: DesiredChange) {
  return { url, authorization };
}

function sameChange(a: DesiredChange, b: DesiredChange): boolean {
  return a.url === b.url && a.authorization?.reveal() === b.authorization?.reveal();
}
