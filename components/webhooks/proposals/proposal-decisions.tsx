"use client";

import { Button } from "@/components/ui/button";
import { Check, Undo2, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { OnDecide, ShownProposal } from "./shown-proposal";

type ProposalDecisionsProps = ShownProposal & { onDecide: OnDecide };

/** What this person can do about it: the author takes it back, another one stops it or lets it through. */
export function ProposalDecisions({ proposal, reader, old, onDecide }: ProposalDecisionsProps) {
  const t = useTranslations("webhooks");
  const types = t(`typesList.${proposal.type}`);
  if (reader === null) return null;
  if (reader === proposal.by.id)
    return (
      <Button
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
    <div className="flex flex-wrap gap-2">
      {isSecond && !proposal.outdated && !old ? (
        <Button
          size="sm"
          variant="primary"
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
