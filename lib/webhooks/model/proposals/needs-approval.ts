import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import type { Draft } from "@/lib/webhooks/model/draft";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";
import {
  typesOf,
  type AppliesTo,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";

/** Whether this save would wait for a second person, known before it is sent; the server decides by the same rule. */
export function needsApproval(
  configuration: Configuration,
  { type, url }: Pick<Draft, "type" | "url">,
): boolean {
  if (configuration.fourEyes !== true) return false;
  return typesOf(type).some((each) => {
    const webhook = webhookOf(configuration, each);
    return !webhook || !isSameAddress(webhook.callbackUrl, url) || webhook.duplicate === true;
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
