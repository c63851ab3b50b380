"use client";

import { ProposedCheck } from "@/components/endpoint-check/typed-check";
import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { typesOf, webhookTypes } from "@/lib/webhooks/model/types";
import { ProposalComparison } from "./proposal-comparison";

type ProposalDetailProps = {
  configuration: Configuration;
  proposal: Proposal;
  environmentRef: { partner: string; environment: string };
  endpointChecks: EndpointChecks;
};

/** Where the page is about a proposal: the change in large letters, and a check of the proposed address. */
export function ProposalDetail(props: ProposalDetailProps) {
  const { configuration, proposal, environmentRef, endpointChecks } = props;
  const [type = webhookTypes[0]] = typesOf(proposal.type);
  return (
    <>
      <ProposalComparison configuration={configuration} proposal={proposal} />
      {endpointChecks?.mayCheck ? (
        <ProposedCheck
          environmentRef={environmentRef}
          request={{ type, typed: { url: proposal.url } }}
          url={proposal.url}
          demo={endpointChecks.demo}
        />
      ) : null}
    </>
  );
}
