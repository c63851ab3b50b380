import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { shownVersionOf, type ShownVersion } from "@/lib/webhooks/model/compare";
import { movedTypes } from "@/lib/webhooks/model/keeping";
import { exposureOf, leadsBack } from "@/lib/webhooks/model/exposure";
import { mayHaveValue, missingMayBeRegistered, webhookOf } from "@/lib/webhooks/model/registered";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";

/** What a proposal means for one type. */
export type ProposalVersions = {
  now: ShownVersion;
  /** Messages would go to another origin than now. */
  moves: boolean;
  /** There is a current Authorization value, or there may be one that the service does not show. */
  mayHaveValue: boolean;
  /** Another server may know that value. */
  exposed: boolean;
};

export function proposalVersionsOf(
  configuration: Configuration,
  proposal: Proposal,
  type: WebhookType,
): ProposalVersions {
  const webhook = webhookOf(configuration, type);
  const { url } = proposal;
  return {
    now: shownVersionOf(configuration, type),
    mayHaveValue: webhook ? mayHaveValue(webhook) : missingMayBeRegistered(configuration),
    moves:
      movedTypes(configuration, { type, url }).length > 0 && !leadsBack(configuration, type, url),
    exposed: exposureOf(configuration, [type]) !== null,
  };
}
