"use client";

import { listOf } from "@/components/webhooks/types-list";
import { DecisionDialog } from "@/components/approvals/decision-dialog";
import { useHere } from "@/components/layout/here";
import { Notice } from "@/components/ui/notice";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { useDecision } from "@/lib/webhooks/client/decision";
import type { SaveAnswer } from "@/lib/webhooks/client/save-answer";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { useTranslations } from "next-intl";
import { ProposalComparison } from "./proposal-comparison";
import { findEditButton } from "@/components/webhooks/list/find-edit-button";
import { FailureText, ProblemText } from "@/components/forms/failure-notice";
import { type Done, SaidOfTypes } from "@/components/webhooks/editor/saved-notice";

type ProposalDialogProps = {
  proposal: Proposal;
  decision: Decision["decision"];
  configuration: Configuration;
  onDone: (done: Done) => void;
  onClose: () => void;
};

/** Asks for confirmation of a decision on a proposal, and sends it. */
export function ProposalDialog(props: ProposalDialogProps) {
  const { proposal, decision, configuration, onDone, onClose } = props;
  const t = useTranslations();
  const { ref } = useHere();
  const decide = useDecision(ref, proposal.id);
  const about = typesOf(proposal.type);
  return (
    <DecisionDialog
      decision={decision}
      namespace="webhooks.proposal.dialogs"
      author={proposal.by.name}
      types={listOf(about, t)}
      onClose={onClose}
      returnTo={() => findEditButton(about[0] ?? proposal.type)}
      decide={async (body) => {
        const answer = await decide(body);
        if (answer.kind === "ended") {
          if (decision !== "approve") onDone({ outcome: decision });
        } else if (answer.kind === "recorded" && !answer.problem) onDone(answer.result);
        else return <Failed answer={answer} />;
        return null;
      }}
    >
      {decision === "approve" ? (
        <ProposalComparison configuration={configuration} proposal={proposal} />
      ) : null}
    </DecisionDialog>
  );
}

const badEnds: ReadonlySet<string> = new Set(["not_sent", "refused", "not_shown"]);

function Failed({ answer }: { answer: SaveAnswer }) {
  const t = useTranslations("webhooks");
  const result = answer.kind === "recorded" ? answer.result : null;
  const problem = answer.kind === "unsent" ? null : answer.problem;
  const isBad = result ? badEnds.has(result.outcome) : answer.kind !== "lost";
  return (
    <Notice
      role="alert"
      tone={isBad ? "bad" : "warn"}
      title={
        result || answer.kind === "lost"
          ? t(`result.${result?.outcome ?? "unclear"}`)
          : t("proposal.failed")
      }
    >
      {result ? <SaidOfTypes results={result.results} /> : null}
      {problem ? <ProblemText problem={problem} /> : null}
      {answer.kind === "unsent" ? (
        <FailureText failure={{ kind: "no_answer", unsent: true }} />
      ) : null}
      {answer.kind === "lost" ? <p>{t("proposal.noAnswer")}</p> : null}
    </Notice>
  );
}
