"use client";

import { StepUpQuestion } from "@/components/account/step-up-dialog";
import { FailureNotice } from "@/components/forms/failure-notice";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { useSecondsLeft } from "@/components/ui/use-seconds-left";
import { usePageLeft } from "@/components/ui/use-page-left";
import { apiPath, type RequestFailure, sendJson } from "@/lib/platform/http/client/fetch-json";
import { type Revealed, revealedSchema } from "@/lib/webhooks/model/revealed";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useEffectEvent, useId, useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { configurationQuery } from "@/lib/webhooks/client/query";
import { useQueryClient } from "@tanstack/react-query";

/** Long enough to copy the value or to compare it by eye. */
const shownSeconds = 60;

type RevealDialogProps = {
  type: WebhookType;
  fingerprint: string | null;
  proofCounts: boolean;
  /** Called when the person has proved their identity. */
  onProof: () => void;
  onClose: () => void;
};

/** Asks for a proof of identity, then shows the value for a while. Closing removes it from the page. */
export function RevealDialog(props: RevealDialogProps) {
  const { type, onProof, onClose, ...known } = props;
  const { partner, ref } = useHere();
  const t = useTranslations("webhooks");
  const common = useTranslations("common");
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
          <StepUpQuestion method="passkey" submitLabel={t("reveal.submit")} onEnd={endStepUp} />
        ) : (
          <RevealPrompt
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
          onOver={hide}
          onClose={onClose}
        />
      ) : (
        <>
          {/* The page showed that a value was set, so it has changed since. */}
          <Notice tone="warn" role="alert" title={t("reveal.changed")}>
            {t(`reveal.absence.${step.revealed.absence ?? "not_set"}`, { type: typeName })}
          </Notice>
          <Button className="self-end" onClick={onClose}>
            {common("close")}
          </Button>
        </>
      )}
    </Dialog>
  );
}

type RevealPromptProps = {
  /** The value was shown, and the time is up. */
  isOver: boolean;
  failure: RequestFailure | null;
  pending: boolean;
  onSubmit: () => void;
  onClose: () => void;
};

/** The question before a reveal while an earlier proof of identity still counts. */
function RevealPrompt({ isOver, failure, pending, onSubmit, onClose }: RevealPromptProps) {
  const t = useTranslations();
  const message = useRef<HTMLParagraphElement>(null);
  useEffect(() => message.current?.focus(), []);
  return (
    <>
      {pending ? null : (
        <FailureNotice
          failure={failure}
          title={t("webhooks.reveal.failed")}
          unreachable={t("webhooks.reveal.noAnswer")}
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

type RevealedValueProps = {
  value: string;
  typeName: string;
  changed: boolean;
  onOver: () => void;
  onClose: () => void;
};

/**
 * The value as text, not in an input, whose values browsers offer to fill in again. It takes the focus, so that a
 * screen reader reads the value and for how long it stays.
 */
function RevealedValue(props: RevealedValueProps) {
  const { value, typeName, changed, onOver, onClose } = props;
  const t = useTranslations();
  const aboutId = useId();
  const text = useRef<HTMLDivElement>(null);
  const left = useSecondsLeft(shownSeconds);
  const over = useEffectEvent(onOver);
  useEffect(() => text.current?.focus(), []);
  useEffect(() => {
    if (left === 0) over();
  }, [left]);

  return (
    <div className="flex flex-col gap-4">
      {changed ? (
        <Notice tone="warn" role="status" title={t("webhooks.reveal.changed")}>
          {t("webhooks.reveal.changedText")}
        </Notice>
      ) : null}
      <div className="flex items-center gap-2 rounded-control border border-line bg-sunken p-1">
        <div
          ref={text}
          role="textbox"
          aria-readonly
          aria-label={t("webhooks.reveal.value", { type: typeName })}
          aria-describedby={aboutId}
          tabIndex={0}
          dir="ltr"
          translate="no"
          className="min-h-8 min-w-0 flex-1 rounded-control px-2 py-1.5 font-mono text-[0.8125rem] leading-5 break-all whitespace-pre-wrap text-ink select-all"
        >
          {value}
        </div>
        <CopyButton text={value} label={t("webhooks.reveal.copy")} />
      </div>
      <div className="flex flex-col gap-0.5 text-small text-ink-2">
        <p id={aboutId}>{t("webhooks.reveal.about", { seconds: shownSeconds })}</p>
        <p>{t("webhooks.reveal.copyStays")}</p>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto text-small text-ink-2 tabular-nums">
          {t("webhooks.reveal.left", { seconds: left })}
        </p>
        <Button onClick={onClose}>{t("common.close")}</Button>
      </div>
    </div>
  );
}

type Step =
  /** `proves`: asks for a proof of identity, then reveals the value. */
  | { kind: "ask"; proves: boolean; failure: RequestFailure | null }
  /** `changed`: it is not the value that the page showed. */
  | { kind: "shown"; revealed: Revealed; changed: boolean }
  | { kind: "over"; failure: null };

type RevealInput = Pick<RevealDialogProps, "type" | "fingerprint" | "proofCounts"> & {
  partner: string;
  environment: string;
};

/** Milliseconds. The payment service may take ten seconds. */
const timeout = 25_000;

/** Reads a value and keeps it only while it is shown, and only in this state. */
function useReveal({ partner, environment, type, fingerprint, proofCounts }: RevealInput) {
  const client = useQueryClient();
  const [expectedFingerprint, setExpectedFingerprint] = useState(fingerprint);
  // The task returns nothing: a mutation would keep the value as its answer for as long as the dialog.
  const { pending, send: once } = useApiMutation((task: () => Promise<void>) => task());
  const [step, setStep] = useState<Step>({ kind: "ask", proves: !proofCounts, failure: null });

  async function reveal() {
    setStep((before) => (before.kind === "ask" ? { ...before, proves: false } : before));
    const path = apiPath("partners", partner, environment, "webhooks", type, "reveal");
    const answer = await sendJson(path, {
      body: {},
      timeout,
      stepsUp: true,
      parse: (body) => revealedSchema.safeParse(body).data,
    });
    if (answer.kind === "done") {
      const changed = answer.result.fingerprint !== expectedFingerprint;
      setExpectedFingerprint(answer.result.fingerprint);
      setStep({ kind: "shown", revealed: answer.result, changed });
      // Refetches the configuration, which may have changed.
      const { queryKey } = configurationQuery(partner, environment);
      void client.invalidateQueries({ queryKey });
      return;
    }
    const { failure } = answer;
    const proves =
      failure.kind === "problem" && failure.problem.code === "reauthentication_required";
    setStep({ kind: "ask", proves, failure: proves ? null : failure });
  }

  return {
    step,
    pending,
    submit: () => once(reveal),
    hide: () => setStep({ kind: "over", failure: null }),
  };
}
