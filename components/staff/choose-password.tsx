"use client";

import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { FailureText } from "@/components/forms/failure-text";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { PasswordOwner } from "@/components/forms/password-owner";
import { Skeleton } from "@/components/ui/skeleton";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { PasswordLink } from "@/lib/staff/model/password-choice";
import { useTranslations } from "next-intl";
import { useId, useRef, useState, type FormEvent } from "react";
import { usePasswordLink, type Stage } from "./use-password-link";

/** From a one-time link to a password that only its owner knows. */
export function ChoosePassword() {
  const t = useTranslations();
  const id = useId();
  const { stage, look, choose } = usePasswordLink();
  return (
    <Card aria-labelledby={id} className="gap-5 p-6 sm:p-7">
      <h1 id={id} className="text-title font-semibold tracking-tight">
        <Heading stage={stage} />
      </h1>
      {stage.kind === "looking" ? (
        <div className="flex flex-col gap-4">
          <p className="text-ink-2">{t("installation.choose.loading")}</p>
          <Skeleton className="h-10 w-full" />
        </div>
      ) : null}
      {stage.kind === "failed" ? (
        <>
          <Notice tone="bad" role="alert">
            <FailureText
              failure={stage.failure}
              unreachable={t("installation.choose.unreachable")}
            />
          </Notice>
          <Button onClick={() => void look()}>{t("common.tryAgain")}</Button>
        </>
      ) : null}
      {stage.kind === "over" ? (
        <p className="text-pretty text-ink-2">{t(`installation.choose.over.${stage.over}.text`)}</p>
      ) : null}
      {stage.kind === "chosen" ? (
        <Notice tone="ok" role="status">
          {t("installation.choose.chosenText", { email: stage.email })}
        </Notice>
      ) : null}
      {stage.kind === "open" ? <PasswordForm link={stage.link} onChoose={choose} /> : null}
      {stage.kind === "over" || stage.kind === "chosen" ? (
        <ButtonLink href="/sign-in" variant="primary" size="lg">
          {t("installation.choose.signIn")}
        </ButtonLink>
      ) : null}
    </Card>
  );
}

function Heading({ stage }: { stage: Stage }) {
  const t = useTranslations("installation.choose");
  if (stage.kind === "over") return t(`over.${stage.over}.title`);
  return t(stage.kind === "chosen" ? "chosen" : "title");
}

type PasswordFormProps = {
  link: PasswordLink;
  onChoose: (password: string) => Promise<Failure | null>;
};

function PasswordForm({ link, onChoose }: PasswordFormProps) {
  const t = useTranslations();
  const { name, email, proves, by } = link;
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    const password = input.current?.value ?? "";
    setFailure(null);
    setCode(password === "" ? "required" : null);
    if (password !== "") {
      setPending(true);
      const refusal = await onChoose(password);
      if (!refusal) return;
      setPending(false);
      const refused = refusal.kind === "problem" ? refusal.problem.errors?.[0]?.code : undefined;
      setCode(refused ?? null);
      setFailure(refused === undefined ? refusal : null);
    }
    input.current?.focus();
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      <p className="text-pretty text-ink-2">{t("installation.choose.for", { name, email })}</p>
      {failure ? (
        <Notice tone="bad" role="alert">
          <FailureText failure={failure} unreachable={t("installation.choose.unreachable")} />
        </Notice>
      ) : null}
      <p className="text-small text-pretty text-ink-2">
        {proves === null && by
          ? t("installation.choose.proves.hand", { email, by })
          : t(`installation.choose.proves.${proves ?? "nothing"}`, { email })}
      </p>
      <PasswordOwner email={email} />
      <CheckedPasswordField
        ref={input}
        label={t("installation.choose.password")}
        autoComplete="new-password"
        code={code}
      />
      <Button type="submit" variant="primary" size="lg" pending={pending} className="w-full">
        {t("installation.choose.submit")}
      </Button>
    </form>
  );
}
