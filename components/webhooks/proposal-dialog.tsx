"use client";

import { PasskeyNotice } from "@/components/account/step-up-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import type { Proposal } from "@/lib/webhooks/configuration";
import type { PasskeyFailure } from "@/lib/passkey-client";
import type { DecisionAnswer } from "@/lib/webhooks/proposals/ask-decision";
import type { Decision } from "@/lib/webhooks/proposals/decision";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { findEditButton } from "./find-button";
import { ProblemText } from "./problem-text";
import type { Done } from "./saved-notice";
import { TypeOutcomes } from "./type-outcomes";
import { useDecision } from "./use-decision";

type ProposalDialogProps = {
  proposal: Proposal;
  decision: Decision["decision"];
  place: { partner: string; environment: string };
  onDone: (done: Done) => void;
  onClose: () => void;
};

/** Asks once more, decides, and tells what did not simply succeed. */
export function ProposalDialog({
  proposal,
  decision,
  place,
  onDone,
  onClose,
}: ProposalDialogProps) {
  const t = useTranslations();
  const { pending, decide } = useDecision({ place, proposal: proposal.id, decision });
  const [failed, setFailed] = useState<Failure | null>(null);
  const [noPasskey, setNoPasskey] = useState<PasskeyFailure | null>(null);
  const words = `webhooks.proposal.dialogs.${decision}` as const;
  const types = t(`webhooks.typesList.${proposal.type}`);
  const close = () => {
    if (!pending) onClose();
  };

  async function act(sign = true) {
    setNoPasskey(null);
    const answer = await decide(sign);
    if (answer.kind === "done") onDone(answer.result);
    else if (answer.kind === "no_passkey") setNoPasskey(answer.why);
    else if (answer.kind !== "ended") setFailed(answer);
    else if (decision !== "approve") onDone({ outcome: decision });
  }

  return (
    <Dialog
      title={t(`${words}.title`, { types })}
      description={failed ? null : t(`${words}.text`, { name: proposal.by.name })}
      closeLabel={t("common.close")}
      onClose={close}
      returnTo={() => findEditButton(proposal.type === "both" ? "pix_in" : proposal.type)}
    >
      {failed ? <Failed answer={failed} /> : null}
      {decision === "approve" && !failed ? (
        <p className="rounded-control border border-line bg-sunken px-3 py-2 font-mono text-small [overflow-wrap:anywhere]">
          {proposal.url}
        </p>
      ) : null}
      {noPasskey ? (
        <>
          <PasskeyNotice why={noPasskey} />
          <Button variant="ghost" size="sm" className="self-start" onClick={() => void act(false)}>
            {t("webhooks.proposal.withoutPasskey")}
          </Button>
        </>
      ) : null}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p aria-live="polite" className="mr-auto text-small text-ink-2">
          {pending && decision === "approve" ? t("webhooks.proposal.saving") : ""}
        </p>
        {failed ? (
          <Button onClick={onClose}>{t("common.close")}</Button>
        ) : (
          <>
            <Button variant="ghost" disabled={pending} onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button
              variant={decision === "approve" ? "primary" : "danger"}
              pending={pending}
              onClick={() => void act()}
            >
              {t(`${words}.confirm`)}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

type Failure = Extract<DecisionAnswer, { kind: "not_done" | "refused" | "lost" }>;

function Failed({ answer }: { answer: Failure }) {
  const t = useTranslations("webhooks");
  if (answer.kind === "refused")
    return (
      <Notice role="alert" tone="bad" title={t("proposal.failed")}>
        <ProblemText problem={answer.problem} />
      </Notice>
    );
  if (answer.kind === "lost")
    return (
      <Notice role="alert" tone="warn" title={t("result.unknown")}>
        {answer.problem ? <ProblemText problem={answer.problem} /> : null}
        <p>{t("proposal.noAnswer")}</p>
      </Notice>
    );
  const { result, problem } = answer;
  return (
    <Notice
      role="alert"
      tone={result.outcome === "not_saved" ? "bad" : "warn"}
      title={t(`result.${result.outcome}`)}
    >
      <TypeOutcomes results={result.results} />
      <ProblemText problem={problem} />
    </Notice>
  );
}
