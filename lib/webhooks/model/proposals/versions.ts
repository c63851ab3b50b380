import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { shownVersionOf, type ShownVersion } from "@/lib/webhooks/model/compare";
import { movedTypes } from "@/lib/webhooks/model/keeping";
import { exposureOf, leadsBack } from "@/lib/webhooks/model/exposure";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";

/** What a proposal means for one type. */
export type ProposalVersions = {
  now: ShownVersion;
  /** Messages would go to another origin than now. */
  moves: boolean;
  /** The current Authorization value would be kept. */
  keeps: boolean;
  /** Another server may know that value. */
  exposed: boolean;
};

export function proposalVersionsOf(
  configuration: Configuration,
  proposal: Proposal,
  type: WebhookType,
): ProposalVersions {
  const now = shownVersionOf(configuration, type);
  const { url } = proposal;
  return {
    now,
    keeps: proposal.authorization === "keep" && now !== null && now.authorization.kind !== "unset",
    moves:
      movedTypes(configuration, { type, url }).length > 0 && !leadsBack(configuration, type, url),
    exposed: exposureOf(configuration, [type]) !== null,
  };
}
