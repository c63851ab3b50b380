"use client";

import { PasskeyNotice, StepUpForm, type StepUpWays } from "@/components/account/step-up-form";
import { Notice } from "@/components/ui/notice";
import type { RevealAnswer } from "@/lib/webhooks/client/reveal-answer";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";
import { ProblemText, SignInAgain } from "@/components/forms/failure-notice";

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

export function RevealForm({ proofNeeded, onSubmit, refused, pending, ...form }: RevealFormProps) {
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
