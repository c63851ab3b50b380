"use client";

import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { proposalVersionsOf, type ProposalVersions } from "@/lib/webhooks/model/proposals/sides";
import { typesOf } from "@/lib/webhooks/model/types";
import { Hourglass, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { ComparedVersion } from "@/components/webhooks/compare/compared-side";
import { DiffBlock } from "@/components/webhooks/compare/diff-block";
import { ProposalDecisions } from "./proposal-decisions";
import type { OnDecide, ShownProposal } from "./shown-proposal";
import { WhoCanApprove } from "./who-can-approve";

type ProposalBannerProps = ShownProposal & {
  configuration: Configuration;
  onDecide: OnDecide;
};

/** What waits for a second person, by whom, until when, and what one can do about it: once, however many types it is about. */
export function ProposalBanner({ proposal, configuration, ...rest }: ProposalBannerProps) {
  const t = useTranslations("webhooks");
  const titleId = useId();
  const { outdated, by, reason } = proposal;
  const types = typesOf(proposal.type);
  return (
    <div
      role="group"
      aria-labelledby={titleId}
      className="flex flex-col gap-2 rounded-control border border-warn-line bg-surface p-3"
    >
      <p id={titleId} className="flex items-start gap-2 font-semibold text-warn">
        <Hourglass aria-hidden className="mt-1 size-4 shrink-0" />
        {t(outdated ? "proposal.outdated" : "proposal.title")}
      </p>
      <p className="text-small text-ink-2">
        {t.rich("proposal.by", {
          name: by.name,
          time: () => <RelativeTime at={proposal.at} />,
          until: () => <AbsoluteTime at={proposal.expiresAt} />,
        })}{" "}
        {t("proposal.nothingSent")}
      </p>
      {reason === null ? null : (
        <p className="[overflow-wrap:anywhere]">{t("proposal.reason", { text: reason })}</p>
      )}
      <div className={types.length > 1 ? "grid gap-3 md:grid-cols-2" : "flex flex-col"}>
        {types.map((type) => (
          <ProposedType
            key={type}
            versions={proposalVersionsOf(configuration, proposal, type)}
            outdated={outdated}
            {...(types.length > 1 ? { heading: t(`types.${type}`) } : {})}
          />
        ))}
      </div>
      {outdated ? <p className="text-small">{t("proposal.outdatedText")}</p> : null}
      <WhoCanApprove proposal={proposal} {...rest} />
      <ProposalDecisions proposal={proposal} {...rest} />
    </div>
  );
}

type ProposedTypeProps = {
  versions: ProposalVersions;
  outdated: boolean;
  /** The type, where there is more than one. */
  heading?: string;
};

function ProposedType({ versions, outdated, heading }: ProposedTypeProps) {
  const t = useTranslations("webhooks.proposal");
  if (outdated)
    return (
      <div className="flex min-w-0 flex-col gap-1">
        {heading ? <p className="text-small font-medium">{heading}</p> : null}
        <ThreeSides versions={versions} />
      </div>
    );
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <DiffBlock
        before={versions.now}
        after={versions.after}
        {...(heading === undefined ? {} : { heading })}
      />
      {versions.moves ? (
        <p className="flex items-start gap-2 text-small text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t(versions.keeps ? "newOriginKeeps" : "newOrigin")}
        </p>
      ) : null}
    </div>
  );
}

/** It was made on top of something that is not there any more. */
function ThreeSides({ versions: { basis, now, after } }: { versions: ProposalVersions }) {
  const t = useTranslations("webhooks.proposal");
  const since = basis ? { since: basis } : {};
  return (
    <dl className="divide-y divide-line overflow-hidden rounded-control border border-line">
      <ComparedVersion name={t("basis")} version={basis} />
      <ComparedVersion name={t("proposed")} version={after} emphasis="mine" {...since} />
      <ComparedVersion name={t("now")} version={now} emphasis="now" {...since} />
    </dl>
  );
}
