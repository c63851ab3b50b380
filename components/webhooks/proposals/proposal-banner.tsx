"use client";

import { ProposedCheck } from "@/components/endpoint-check/typed-check";
import { Hint } from "@/components/ui/hint";
import { ProposalComparison } from "./proposal-comparison";
import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { type ProposalVersions, proposalVersionsOf } from "@/lib/webhooks/model/proposals/versions";
import { typesOf } from "@/lib/webhooks/model/types";
import { Check, Hourglass, TriangleAlert, Undo2, X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useId } from "react";
import { DiffBlock } from "@/components/webhooks/compare/diff-block";
import { Button } from "@/components/ui/button";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { preloadProposalDialog } from "./lazy-proposal";

type ProposalBannerProps = ShownProposal & {
  configuration: Configuration;
  /** Approving is this page's main action. */
  filled: boolean;
  onDecide: OnDecide;
  environmentRef: { partner: string; environment: string };
  /** Where the page is about it: the change in large letters, with a check of its address. */
  endpointChecks?: EndpointChecks;
};

/**
 * A change that waits for a second person: who proposed it, until when, and what the viewer can do; once, however many
 * types it covers.
 */
export function ProposalBanner({
  proposal,
  configuration,
  environmentRef,
  endpointChecks,
  ...rest
}: ProposalBannerProps) {
  const t = useTranslations("webhooks");
  const titleId = useId();
  const { outdated, by, reason } = proposal;
  const types = typesOf(proposal.type);
  return (
    <div
      role="group"
      aria-labelledby={titleId}
      className="flex flex-col gap-2 rounded-card border border-warn-line bg-surface p-4"
    >
      <h2 id={titleId} className="flex items-start gap-2 font-semibold text-warn">
        <Hourglass aria-hidden className="mt-1 size-4 shrink-0" />
        {t(outdated ? "proposal.outdated" : "proposal.title")}
      </h2>
      <p className="text-small text-ink-2">
        {t.rich("proposal.by", {
          name: by.name,
          time: () => <RelativeTime at={proposal.at} />,
          until: () => <AbsoluteTime at={proposal.expiresAt} ahead />,
        })}{" "}
        {t("proposal.nothingSent")}
      </p>
      {reason === null ? null : (
        <p className="[overflow-wrap:anywhere]">{t("proposal.reason", { text: reason })}</p>
      )}
      {endpointChecks !== undefined && !outdated ? (
        <>
          <ProposalComparison configuration={configuration} proposal={proposal} />
          {endpointChecks?.mayCheck ? (
            <ProposedCheck
              environmentRef={environmentRef}
              request={{ type: types[0] ?? "pix_in", typed: { url: proposal.url } }}
              url={proposal.url}
              demo={endpointChecks.demo}
            />
          ) : null}
        </>
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
      {outdated ? <p className="text-small">{t("proposal.outdatedText")}</p> : null}
      <WhoCanApprove proposal={proposal} {...rest} />
      <ProposalDecisions proposal={proposal} {...rest} />
    </div>
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

type ProposalDecisionsProps = ShownProposal & Pick<ProposalBannerProps, "filled" | "onDecide">;

/** The viewer's actions: the author withdraws it, another person rejects or approves it. */
function ProposalDecisions({ proposal, reader, old, filled, onDecide }: ProposalDecisionsProps) {
  const t = useTranslations("webhooks");
  const types = t(`typesList.${proposal.type}`);
  if (reader === null) return null;
  const preloading = { onPointerEnter: preloadProposalDialog, onFocus: preloadProposalDialog };
  if (reader === proposal.by.id)
    return (
      <Button
        {...preloading}
        size="sm"
        icon={<Undo2 aria-hidden />}
        aria-label={t("proposal.withdrawOf", { types })}
        className="self-start"
        onClick={() => onDecide(proposal, "withdraw")}
      >
        {t("proposal.withdraw")}
      </Button>
    );
  const isSecond = proposal.approvers?.some(({ id }) => id === reader) ?? false;
  return (
    <div {...preloading} className="flex flex-wrap gap-2">
      {isSecond && !proposal.outdated && !old ? (
        <Button
          size="sm"
          variant={filled ? "primary" : "secondary"}
          icon={<Check aria-hidden />}
          aria-label={t("proposal.approveOf", { types })}
          onClick={() => onDecide(proposal, "approve")}
        >
          {t("proposal.approve")}
        </Button>
      ) : null}
      <Button
        size="sm"
        icon={<X aria-hidden />}
        aria-label={t("proposal.rejectOf", { types })}
        onClick={() => onDecide(proposal, "reject")}
      >
        {t("proposal.reject")}
      </Button>
    </div>
  );
}

/** Names so many; beyond that, only the number. */
const namedAtMost = 3;

/** Why the viewer cannot approve it, if so, and who can. Nobody can approve an outdated one. */
function WhoCanApprove({ proposal, reader, old }: ShownProposal) {
  const t = useTranslations("webhooks.proposal");
  const format = useFormatter();
  const { approvers, by, outdated } = proposal;
  if (outdated) return null;
  const isSecond = approvers?.some(({ id }) => id === reader) ?? false;
  if (isSecond && !old) return null;
  const sentences = [];
  if (approvers === null) sentences.push(t("authorMayNot", { name: by.name }));
  else if (isSecond) sentences.push(t("oldNote"));
  else {
    if (reader === by.id) sentences.push(t("ownNote"));
    else if (reader !== null) sentences.push(t("notSecond", { name: by.name }));
    const named = approvers.slice(0, namedAtMost).map(({ name }) => name);
    const others = approvers.length - named.length;
    if (others > 0) named.push(t("others", { count: others }));
    const names = format.list(named, { type: "disjunction" });
    sentences.push(named.length > 0 ? t("whoCan", { names }) : t("nobodyCan", { name: by.name }));
  }
  return <p className="text-small text-pretty text-ink-2">{sentences.join(" ")}</p>;
}

/** A waiting change, and its viewer. */
type ShownProposal = {
  proposal: Proposal;
  /** The viewer's id, if their role lets them decide. */
  reader: string | null;
  /** The service could not confirm the version that it would overwrite. */
  old: boolean;
};

export type OnDecide = (proposal: Proposal, decision: Decision["decision"]) => void;
