"use client";

import { listOf } from "@/components/webhooks/types-list";
import { WaitingChange } from "@/components/approvals/waiting-change";
import { Hint } from "@/components/ui/hint";
import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { type ProposalVersions, proposalVersionsOf } from "@/lib/webhooks/model/proposals/versions";
import { typesOf } from "@/lib/webhooks/model/types";
import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { DiffBlock } from "@/components/webhooks/compare/diff-block";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { preloadProposalDialog, ProposalDetail } from "./lazy-proposal";

type ProposalBannerProps = {
  proposal: Proposal;
  configuration: Configuration;
  /** The viewer's id, if their role lets them decide. */
  reader: string | null;
  /** The service could not confirm the version that it would overwrite. */
  old: boolean;
  /** Approving is this page's main action. */
  isMain: boolean;
  onDecide: (decision: Decision["decision"]) => void;
  environmentRef: { partner: string; environment: string };
  /** Where the page is about it: the change in large letters, with a check of its address. */
  endpointChecks?: EndpointChecks;
};

/** A change of webhooks that waits for a second person; once, however many types it covers. */
export function ProposalBanner(props: ProposalBannerProps) {
  const { proposal, configuration, environmentRef, endpointChecks, ...rest } = props;
  const t = useTranslations("webhooks");
  const all = useTranslations();
  const types = typesOf(proposal.type);
  return (
    <WaitingChange
      {...rest}
      words="webhooks.proposal"
      change={proposal}
      outdated={proposal.outdated}
      types={listOf(types, all)}
      onNear={preloadProposalDialog}
    >
      {endpointChecks !== undefined && !proposal.outdated ? (
        <ProposalDetail
          configuration={configuration}
          proposal={proposal}
          environmentRef={environmentRef}
          endpointChecks={endpointChecks}
        />
      ) : (
        <div className={types.length > 1 ? "grid gap-3 md:grid-cols-2" : "flex flex-col"}>
          {types.map((type) => (
            <ProposedType
              key={type}
              versions={proposalVersionsOf(configuration, proposal, type)}
              {...(types.length > 1 ? { heading: t(`types.${type}`) } : {})}
            />
          ))}
        </div>
      )}
    </WaitingChange>
  );
}

type ProposedTypeProps = {
  versions: ProposalVersions;
  /** The type, where there is more than one. */
  heading?: string;
};

function ProposedType({ versions, heading }: ProposedTypeProps) {
  const t = useTranslations("webhooks.proposal");
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <DiffBlock
        before={versions.now}
        after={versions.after}
        {...(heading === undefined ? {} : { heading })}
      />
      {versions.moves ? (
        <Hint tone="warn" icon={TriangleAlert}>
          {t(versions.keeps ? "newOriginKeeps" : "newOrigin")}
        </Hint>
      ) : null}
    </div>
  );
}
