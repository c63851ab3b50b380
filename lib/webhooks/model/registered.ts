import type { Configuration, ConfiguredWebhook } from "./configuration";
import {
  typesOf,
  type AppliesTo,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";

// In a module of its own, because only the sheet needs the draft.

export function webhookOf(
  configuration: Configuration,
  type: WebhookType,
): ConfiguredWebhook | undefined {
  return configuration.webhooks.find((webhook) => webhook.type === type);
}

/** The registered webhooks among the types of a save. */
export function registeredAmong(
  configuration: Configuration,
  appliesTo: AppliesTo,
): ConfiguredWebhook[] {
  return typesOf(appliesTo).flatMap((type) => webhookOf(configuration, type) ?? []);
}

type Listed = {
  unclear?: boolean | undefined;
  unrecognised?: readonly { type: string | null }[] | undefined;
};

/**
 * Whether a type that the service does not list may be registered all the same: an item without a type may be of any
 * type, and a "not found" in other words than the contract's says nothing.
 */
export function missingMayBeRegistered({ unclear, unrecognised = [] }: Listed): boolean {
  return unclear === true || unrecognised.some(({ type }) => type === null);
}

/** A service may hold a value that it does not show. */
export function mayHaveValue({ authorization: { set, retype } }: ConfiguredWebhook): boolean {
  return set || retype !== undefined;
}

/** Whether a partner begins here: the service lists nothing, and nothing that it listed before is gone. */
export function isNew(configuration: Configuration): boolean {
  const { webhooks, outside, unrecognised = [] } = configuration;
  return (
    webhooks.length === 0 &&
    !outside &&
    unrecognised.length === 0 &&
    !missingMayBeRegistered(configuration)
  );
}
