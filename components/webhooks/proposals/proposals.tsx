"use client";

import { AppearingPart } from "@/components/layout/lasting-boundary";
import { lazyPart } from "@/components/layout/lazy-part";
import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import type { Done } from "@/components/webhooks/editor/saved-notice";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import dynamic from "next/dynamic";
import { useState } from "react";

// Loaded on use, because most of the time no proposal waits. The page also works if it fails to load.
const ProposalBanner = dynamic(() =>
  import("./proposal-banner").then(
    (module) => module.ProposalBanner,
    () => () => null,
  ),
);

const { LazyPart: ProposalDialog, preload } = lazyPart(() =>
  import("./proposal-dialog").then((module) => module.ProposalDialog),
);

type ProposalsProps = {
  configuration: Configuration;
  /** The payment service could not confirm the version that the proposals would overwrite. */
  old: boolean;
  /** The viewer's id, if their role lets them decide. */
  decider: string | null;
  /** With a single proposal, approving it is this page's main action. */
  isMain: boolean;
  /** Given on the Approvals page, which offers a check of the proposed address. */
  endpointChecks?: EndpointChecks;
  onDone: (done: Done | null) => void;
};

/** Changes that wait for a second person; one banner each, however many types it covers. */
export function Proposals(props: ProposalsProps) {
  const { configuration, isMain, onDone, ...rest } = props;
  const [deciding, setDeciding] = useState<{
    proposal: Proposal;
    decision: Decision["decision"];
  } | null>(null);
  const proposals = configuration.proposals ?? [];
  return (
    <>
      <AppearingPart>
        {proposals.map((proposal) => (
          <ProposalBanner
            key={proposal.id}
            {...rest}
            proposal={proposal}
            configuration={configuration}
            isMain={isMain && proposals.length === 1}
            preload={preload}
            onDecide={(decision) => {
              onDone(null);
              setDeciding({ proposal, decision });
            }}
          />
        ))}
      </AppearingPart>
      {deciding ? (
        <ProposalDialog
          {...deciding}
          configuration={configuration}
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
