"use client";

import { listOf } from "@/components/webhooks/types-list";
import { WaitingChange } from "@/components/approvals/waiting-change";
import { ProposedCheck } from "@/components/endpoint-check/typed-check";
import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";
import { useTranslations } from "next-intl";
import { ProposalComparison } from "./proposal-comparison";

type ProposalBannerProps = {
  proposal: Proposal;
  configuration: Configuration;
  /** The viewer's id, if their role lets them decide. */
  decider: string | null;
  /** The payment service could not confirm the version that the proposal would overwrite. */
  old: boolean;
  /** Approving is this page's main action. */
  isMain: boolean;
  onDecide: (decision: Decision["decision"]) => void;
  /** Called when the viewer is about to decide. */
  preload: () => void;
  /** Given on the Approvals page, which offers a check of the proposed address. */
  endpointChecks?: EndpointChecks;
};

/** A change of webhooks that waits for a second person; one banner, however many types it covers. */
export function ProposalBanner(props: ProposalBannerProps) {
  const { proposal, configuration, endpointChecks, ...rest } = props;
  const t = useTranslations();
  const types = typesOf(proposal.type);
  return (
    <WaitingChange
      {...rest}
      namespace="webhooks.proposal"
      change={proposal}
      outdated={proposal.outdated}
      types={listOf(types, t)}
    >
      <ProposalComparison configuration={configuration} proposal={proposal} />
      {endpointChecks?.mayCheck && !proposal.outdated ? (
        <ProposedCheck
          requests={types.map((type) => ({ type, typed: { url: proposal.url } }))}
          base={configuration}
          url={proposal.url}
          demo={endpointChecks.demo}
        />
      ) : null}
    </WaitingChange>
  );
}
