"use client";

import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Configuration } from "@/lib/webhooks/configuration";
import { sidesOf, type ProposalSides } from "@/lib/webhooks/proposals/sides";
import { typesOf, type WebhookType } from "@/lib/webhooks/types";
import { Hourglass, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { ComparedSide } from "./compared-side";
import { DiffBlock } from "./diff-block";
import { ProposalDecisions } from "./proposal-decisions";
import type { OnDecide, ShownProposal } from "./shown-proposal";
import { WhoCanApprove } from "./who-can-approve";

type ProposalBannerProps = ShownProposal & {
  /** Of the card that it stands on. */
  type: WebhookType;
  configuration: Configuration;
  onDecide: OnDecide;
};

/** On the card of a type: what waits for a second person, by whom, until when, and what one can do about it. */
export function ProposalBanner({ proposal, type, configuration, ...rest }: ProposalBannerProps) {
  const t = useTranslations("webhooks");
  const titleId = useId();
  const { outdated, by, reason } = proposal;
  const sides = sidesOf(configuration, proposal, type);
  const other = typesOf(proposal.type).find((each) => each !== type);
  return (
    <div
      role="group"
      aria-labelledby={titleId}
      className="flex flex-col gap-2 rounded-control border border-warn-line p-3"
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
      {outdated ? (
        <ThreeSides sides={sides} />
      ) : (
        <DiffBlock before={sides.now} after={sides.after} />
      )}
      {outdated ? <p className="text-small">{t("proposal.outdatedText")}</p> : null}
      {sides.moves && !outdated ? (
        <p className="flex items-start gap-2 text-small text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t(sides.keeps ? "proposal.newOriginKeeps" : "proposal.newOrigin")}
        </p>
      ) : null}
      {other ? (
        <p className="text-small text-ink-2">{t("proposal.also", { type: t(`types.${other}`) })}</p>
      ) : null}
      <WhoCanApprove proposal={proposal} {...rest} />
      <ProposalDecisions proposal={proposal} {...rest} />
    </div>
  );
}

/** It was made on top of something that is not there any more. */
function ThreeSides({ sides: { basis, now, after } }: { sides: ProposalSides }) {
  const t = useTranslations("webhooks.proposal");
  const since = basis ? { since: basis } : {};
  return (
    <dl className="divide-y divide-line overflow-hidden rounded-control border border-line">
      <ComparedSide name={t("basis")} side={basis} />
      <ComparedSide name={t("proposed")} side={after} emphasis="mine" {...since} />
      <ComparedSide name={t("now")} side={now} emphasis="now" {...since} />
    </dl>
  );
}
