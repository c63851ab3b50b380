"use client";

import { StepUpQuestion } from "@/components/account/step-up-dialog";
import { FailureNotice, SignInAgain } from "@/components/forms/failure-notice";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { usePageLeft } from "@/components/ui/use-page-left";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { Revealed } from "@/lib/webhooks/model/revealed";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { RevealedValue } from "./revealed-value";
import { useReveal } from "./use-reveal";

/** Long enough to copy it or to compare it by eye. */
const shownSeconds = 60;

type RevealDialogProps = {
  type: WebhookType;
  fingerprint: string | null;
  proofCounts: boolean;
  /** They have proved their identity. */
  onProof: () => void;
  onClose: () => void;
};

/** Asks for a proof of identity, then shows the value for a while. Once closed, nothing of it is left in the page. */
export function RevealDialog(props: RevealDialogProps) {
  const { type, onProof, onClose, ...known } = props;
  const { partner, ref } = useHere();
  const t = useTranslations("webhooks");
  const typeName = t(`types.${type}`);
  const { step, pending, submit, hide } = useReveal({ ...ref, type, ...known });
  usePageLeft(onClose);

  function endStepUp(given: boolean) {
    if (!given) return onClose();
    onProof();
    void submit();
  }

  return (
    <Dialog
      title={t("reveal.title", { type: typeName })}
      description={
        step.kind === "ask"
          ? t("reveal.intro", { partner: partner.name, seconds: shownSeconds })
          : null
      }
      onClose={onClose}
      returnTo={() => document.querySelector<HTMLElement>(`[data-reveals="${type}"]`)}
    >
      {step.kind !== "shown" ? (
        step.kind === "ask" && step.proves ? (
          <StepUpQuestion method={undefined} goOn={t("reveal.submit")} onEnd={endStepUp} />
        ) : (
          <Ask
            isOver={step.kind === "over"}
            failure={step.failure}
            pending={pending}
            onSubmit={() => void submit()}
            onClose={onClose}
          />
        )
      ) : step.revealed.absence === null && step.revealed.authorization !== null ? (
        <RevealedValue
          value={step.revealed.authorization}
          typeName={typeName}
          changed={step.changed}
          seconds={shownSeconds}
          onOver={hide}
          onClose={onClose}
        />
      ) : (
        <NoValue
          absence={step.revealed.absence ?? "not_set"}
          typeName={typeName}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type AskProps = {
  /** The value was shown, and its time is up. */
  isOver: boolean;
  failure: Failure | null;
  pending: boolean;
  onSubmit: () => void;
  onClose: () => void;
};

/** Where the proof of identity still counts. */
function Ask({ isOver, failure, pending, onSubmit, onClose }: AskProps) {
  const t = useTranslations();
  const message = useRef<HTMLParagraphElement>(null);
  useEffect(() => message.current?.focus(), []);
  const isSignedOut = failure?.kind === "problem" && failure.problem.code === "signed_out";
  return (
    <>
      {pending ? null : (
        <FailureNotice
          failure={failure}
          title={t("webhooks.reveal.failed")}
          unreachable={t("webhooks.reveal.noAnswer")}
          actions={isSignedOut ? <SignInAgain /> : null}
        />
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p ref={message} tabIndex={-1} aria-live="polite" className="mr-auto outline-none">
          {pending
            ? t("webhooks.reveal.asking")
            : t(`webhooks.reveal.${isOver ? "over" : "proofCounts"}`)}
        </p>
        <Button onClick={onClose}>{t(isOver ? "common.close" : "common.cancel")}</Button>
        <Button variant="primary" icon={<Eye aria-hidden />} pending={pending} onClick={onSubmit}>
          {t(`webhooks.reveal.${isOver ? "again" : "submit"}`)}
        </Button>
      </div>
    </>
  );
}

type NoValueProps = {
  absence: NonNullable<Revealed["absence"]>;
  typeName: string;
  onClose: () => void;
};

/** There was one when the page was read. */
function NoValue({ absence, typeName, onClose }: NoValueProps) {
  const t = useTranslations();
  return (
    <>
      <Notice tone="warn" role="alert" title={t("webhooks.reveal.changed")}>
        {t(`webhooks.reveal.absence.${absence}`, { type: typeName })}
      </Notice>
      <Button className="self-end" onClick={onClose}>
        {t("common.close")}
      </Button>
    </>
  );
}
