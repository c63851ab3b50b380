"use client";

import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import type { Done } from "@/components/webhooks/editor/saved-notice";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { useState } from "react";
import { ProposalBanner, ProposalDialog } from "./lazy-proposal";

type ProposalsProps = {
  configuration: Configuration;
  environmentRef: { partner: string; environment: string };
  /** The service could not confirm the version that they would overwrite. */
  old: boolean;
  /** The viewer's id, if their role lets them decide. */
  reader: string | null;
  /** Approving the only one is this page's main action. */
  isMain: boolean;
  /** Where the page is about them: in large letters, with a check of the proposed address. */
  endpointChecks?: EndpointChecks;
  onDone: (done: Done | null) => void;
};

/** Changes that wait for a second person, each once, however many types it covers. */
export function Proposals(props: ProposalsProps) {
  const { configuration, environmentRef, isMain, onDone, ...rest } = props;
  const [deciding, setDeciding] = useState<{
    proposal: Proposal;
    decision: Decision["decision"];
  } | null>(null);
  const proposals = configuration.proposals ?? [];
  return (
    <>
      {proposals.map((proposal) => (
        <ProposalBanner
          key={proposal.id}
          {...rest}
          environmentRef={environmentRef}
          proposal={proposal}
          configuration={configuration}
          isMain={isMain && proposals.length === 1}
          onDecide={(decision) => {
            onDone(null);
            setDeciding({ proposal, decision });
          }}
        />
      ))}
      {deciding ? (
        <ProposalDialog
          {...deciding}
          configuration={configuration}
          environmentRef={environmentRef}
          onDone={(result) => {
            setDeciding(null);
            onDone(result);
          }}
          onClose={() => setDeciding(null)}
        />
      ) : null}
    </>
  );
}
