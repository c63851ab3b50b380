import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import type { Draft } from "@/lib/webhooks/model/draft";
import { mayHaveValue, webhookOf } from "@/lib/webhooks/model/registered";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";
import {
  typesOf,
  type AppliesTo,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";

/** What a save does to one type, as the browser sees it or the server knows it. */
type Effect = {
  url: string;
  /** Where the type's notifications go now, or may go; undefined: it is not registered. */
  addresses: readonly (string | undefined)[];
  /** The service lists the type more than once. */
  isDuplicate: boolean;
  /** It takes away a value that is set, or may be. */
  removesValue: boolean;
};

/**
 * The rule of four-eyes approval, for browser and server: a save waits for a second person where notifications would go
 * to another address, or would no longer prove who sent them. A value may be replaced at once: it may have leaked.
 */
export function isCovered({ url, addresses, isDuplicate, removesValue }: Effect): boolean {
  const stays = addresses.every((address) => isSameAddress(address ?? "", url));
  return !stays || isDuplicate || removesValue;
}

/** Whether this save would wait for a second person, as far as it is known before it is sent. */
export function needsApproval(
  configuration: Configuration,
  {
    type,
    url,
    authorization,
  }: Pick<Draft, "type" | "url"> & { authorization: Pick<Draft["authorization"], "action"> },
): boolean {
  if (configuration.fourEyes !== true) return false;
  return typesOf(type).some((each) => {
    const webhook = webhookOf(configuration, each);
    return isCovered({
      url,
      addresses: [webhook?.callbackUrl],
      isDuplicate: webhook?.duplicate === true,
      removesValue: authorization.action === "remove" && !!webhook && mayHaveValue(webhook),
    });
  });
}

/** Waiting proposals for any of these types. */
export function pendingProposals(configuration: Configuration, appliesTo: AppliesTo): Proposal[] {
  const types = typesOf(appliesTo);
  return (configuration.proposals ?? []).filter((proposal) => isAbout(proposal, ...types));
}

function isAbout({ type }: Proposal, ...types: WebhookType[]): boolean {
  return typesOf(type).some((each) => types.includes(each));
}

/** Ids of waiting proposals that this person made. */
export function pendingProposalIds({ proposals = [] }: Configuration, author: string): string[] {
  return proposals.filter(({ by }) => by.id === author).map(({ id }) => id);
}
