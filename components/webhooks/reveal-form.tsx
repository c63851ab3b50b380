"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PasswordField } from "@/components/ui/password-field";
import type { RevealAnswer } from "@/lib/webhooks/reveal-answer";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { ProblemText } from "./problem-text";
import { SignInAgain } from "./sign-in-again";

type Refusal = Exclude<RevealAnswer, { kind: "revealed" }>;

type RevealFormProps = {
  passwordNeeded: boolean;
  /** What came of the last attempt. */
  refused: Refusal | null;
  pending: boolean;
  onAsk: (password?: string) => void;
  onCancel: () => void;
};

/** The password stays in its field: nothing of the page's state ever holds it. */
export function RevealForm({ passwordNeeded, refused, pending, onAsk, onCancel }: RevealFormProps) {
  const t = useTranslations();
  const password = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);

  useEffect(() => {
    if (!refused) return;
    password.current?.focus();
    password.current?.select();
  }, [refused]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = password.current?.value;
    setMissing(typed === "");
    if (typed === "") password.current?.focus();
    else onAsk(typed);
  }

  const error = missing
    ? t("webhooks.reveal.missing")
    : refused?.kind === "wrong_password" && !pending
      ? t("webhooks.reveal.wrong")
      : null;
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refused && !pending ? <Refused answer={refused} /> : null}
      {passwordNeeded ? (
        <PasswordField
          ref={password}
          label={t("webhooks.reveal.password")}
          hint={t("webhooks.reveal.passwordHint")}
          error={error}
          autoComplete="current-password"
          readOnly={pending}
        />
      ) : (
        <p className="text-small text-ink-2">{t("webhooks.reveal.passwordCounts")}</p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p aria-live="polite" className="mr-auto text-small text-ink-2">
          {pending ? t("webhooks.reveal.asking") : ""}
        </p>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" pending={pending} icon={<Eye aria-hidden />}>
          {t("webhooks.reveal.submit")}
        </Button>
      </div>
    </form>
  );
}

function Refused({ answer }: { answer: Refusal }) {
  const t = useTranslations("webhooks.reveal");
  // Said beside the field.
  if (answer.kind === "wrong_password") return null;
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
