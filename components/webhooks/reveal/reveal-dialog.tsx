"use client";

import { type StepUpWays, PasskeyNotice, StepUpForm } from "@/components/account/step-up-form";
import { Dialog } from "@/components/ui/dialog";
import { usePageLeft } from "@/components/ui/use-page-left";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import { findRevealButton } from "@/components/webhooks/list/find-button";
import { RevealedValue } from "./revealed-value";
import { useReveal } from "./use-reveal";
import { Button } from "@/components/ui/button";
import { useEffect, useRef } from "react";
import { Notice } from "@/components/ui/notice";
import { ProblemText, SignInAgain } from "@/components/forms/failure-notice";
import type { Revealed } from "@/lib/webhooks/model/revealed";
import type { RevealAnswer } from "@/lib/webhooks/client/reveal-answer";
import { Eye } from "lucide-react";

/** Long enough to copy it or to compare it by eye. */
const shownSeconds = 60;

type RevealDialogProps = {
  environmentRef: { partner: string; environment: string };
  partnerName: string;
  type: WebhookType;
  fingerprint: string | null;
  /** How they could prove their identity again. */
  ways: StepUpWays;
  proofCounts: boolean;
  onProof: () => void;
  onClose: () => void;
};

/** Asks for a proof of identity, then shows the value for a while. Once closed, nothing of it is left in the page. */
export function RevealDialog(props: RevealDialogProps) {
  const { environmentRef, partnerName, type, fingerprint, ways, onClose, ...proof } = props;
  const hasWay = ways.password || ways.passkey;
  const t = useTranslations();
  const typeName = t(`webhooks.types.${type}`);
  const reveal = useReveal({ ...environmentRef, type, fingerprint, ...proof });
  const { step, pending, submit, submitWithPasskey, hide } = reveal;
  usePageLeft(onClose);

  return (
    <Dialog
      title={t("webhooks.reveal.title", { type: typeName })}
      description={
        step.kind === "ask" && hasWay
          ? t("webhooks.reveal.intro", { partner: partnerName, seconds: shownSeconds })
          : null
      }
      onClose={onClose}
      returnTo={() => findRevealButton(type)}
    >
      {!hasWay ? (
        <NoPassword onClose={onClose} />
      ) : step.kind === "ask" ? (
        <RevealForm
          {...step}
          ways={ways}
          pending={pending}
          onSubmit={(given) => void submit(given)}
          onPasskey={() => void submitWithPasskey()}
          onCancel={onClose}
        />
      ) : step.kind === "over" ? (
        <HiddenAgain pending={pending} onAgain={() => void submit()} onClose={onClose} />
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

type HiddenAgainProps = { pending: boolean; onAgain: () => void; onClose: () => void };

/** The time is up. */
function HiddenAgain({ pending, onAgain, onClose }: HiddenAgainProps) {
  const t = useTranslations();
  const message = useRef<HTMLParagraphElement>(null);
  useEffect(() => message.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <p ref={message} tabIndex={-1} className="mr-auto outline-none">
        {t("webhooks.reveal.over")}
      </p>
      <Button onClick={onClose}>{t("common.close")}</Button>
      <Button variant="primary" pending={pending} onClick={onAgain}>
        {t("webhooks.reveal.again")}
      </Button>
    </div>
  );
}

/** A person who only uses single sign-on reads that, and is not asked for what they do not have. */
function NoPassword({ onClose }: { onClose: () => void }) {
  const t = useTranslations("common");
  return (
    <>
      <Notice tone="info">
        <ProblemText problem={{ code: "no_password" }} />
      </Notice>
      <Button className="self-end" onClick={onClose}>
        {t("close")}
      </Button>
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

type Refusal = Exclude<RevealAnswer, { kind: "revealed" }>;

type RevealFormProps = {
  ways: StepUpWays;
  proofNeeded: boolean;
  /** The outcome of the last attempt. */
  refused: Refusal | null;
  pending: boolean;
  onSubmit: (password?: string) => void;
  onPasskey: () => void;
  onCancel: () => void;
};

function RevealForm({ proofNeeded, onSubmit, refused, pending, ...form }: RevealFormProps) {
  const t = useTranslations("webhooks.reveal");
  return (
    <StepUpForm
      {...form}
      counts={proofNeeded ? null : t("passwordCounts")}
      refused={refused}
      pending={pending}
      words={{
        password: t("password"),
        hint: t("passwordHint"),
        missing: t("missing"),
        wrong: t("wrong"),
        submit: t("submit"),
        asking: t("asking"),
      }}
      submitIcon={<Eye aria-hidden />}
      notice={refused && !pending ? <Refused answer={refused} /> : null}
      onPassword={onSubmit}
    />
  );
}

function Refused({ answer }: { answer: Refusal }) {
  const t = useTranslations("webhooks.reveal");
  // The message beside the field.
  if (answer.kind === "wrong_password") return null;
  if (answer.kind === "no_passkey") return <PasskeyNotice why={answer.why} />;
  if (answer.kind === "password_needed")
    return (
      <Notice tone="info" role="status">
        {t("passwordOver")}
      </Notice>
    );
  const problem = answer.failure.kind === "problem" ? answer.failure.problem : null;
  return (
    <Notice
      tone="bad"
      role="alert"
      title={t("failed")}
      actions={problem?.code === "signed_out" ? <SignInAgain /> : null}
    >
      {problem ? <ProblemText problem={problem} /> : <p>{t("noAnswer")}</p>}
    </Notice>
  );
}
