import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { isRemovalShown, shownVersionOf, type ShownVersion } from "@/lib/webhooks/model/compare";
import { movedTypes } from "@/lib/webhooks/model/keeping";
import { exposureOf, leadsBack } from "@/lib/webhooks/model/exposure";
import type { WebhookType } from "@/lib/webhooks/model/types";

/** One type of a proposal: the present version, and the proposed one. */
export type ProposalVersions = {
  now: ShownVersion;
  after: NonNullable<ShownVersion>;
  /** Messages would go to another origin than now. */
  moves: boolean;
  /** The present Authorization value would be kept. */
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
  const kept = now?.authorization ?? ({ kind: "unset" } as const);
  const authorization = {
    keep: kept,
    replace: { kind: "new" },
    remove: { kind: isRemovalShown(now) ? "unset" : "none_sent" },
  } as const;
  const { url } = proposal;
  return {
    now,
    after: { url, authorization: authorization[proposal.authorization] },
    keeps: proposal.authorization === "keep" && kept.kind !== "unset",
    moves:
      movedTypes(configuration, { type, url }).length > 0 && !leadsBack(configuration, type, url),
    exposed: exposureOf(configuration, [type]) !== null,
  };
}
