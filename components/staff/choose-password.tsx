"use client";

import { CheckedPasswordField, PasswordOwner } from "@/components/forms/password-field";
import { FailureNotice } from "@/components/forms/failure-notice";
import { SecretForm } from "@/components/forms/secret-form";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { BareCard } from "@/components/layout/bare-frame";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { PasswordLink } from "@/lib/staff/model/password-choice";
import { useTranslations } from "next-intl";
import { usePasswordLink } from "./use-password-link";

/** From a one-time link to a password that only its owner knows. */
export function ChoosePassword() {
  const t = useTranslations();
  const { stage, reload, choose } = usePasswordLink();
  const title =
    stage.kind === "over"
      ? (`over.${stage.over}.title` as const)
      : stage.kind === "chosen"
        ? "chosen"
        : "title";
  return (
    <BareCard title={t(`installation.choose.${title}`)}>
      {stage.kind === "loading" ? (
        <div className="flex flex-col gap-4">
          <p className="text-ink-2">{t("installation.choose.loading")}</p>
          <Skeleton className="h-10 w-full" />
        </div>
      ) : null}
      {stage.kind === "failed" ? (
        <>
          <FailureNotice
            failure={stage.failure}
            unreachable={t("installation.choose.unreachable")}
          />
          <Button onClick={() => void reload()}>{t("common.tryAgain")}</Button>
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
    </BareCard>
  );
}

type PasswordFormProps = {
  link: PasswordLink;
  onChoose: ReturnType<typeof usePasswordLink>["choose"];
};

function PasswordForm({ link, onChoose }: PasswordFormProps) {
  const t = useTranslations("installation.choose");
  const { name, email } = link;
  const mutation = useApiMutation(onChoose);
  return (
    <SecretForm
      fields={["password"]}
      submit={{ label: t("submit"), size: "lg", className: "w-full" }}
      mutation={mutation}
      failed={{ unreachable: t("unreachable") }}
      onSend={({ password }) => void mutation.send(password)}
    >
      {(codeOf) => (
        <>
          <p className="text-pretty text-ink-2">{t("for", { name, email })}</p>
          <PasswordOwner email={email} />
          <CheckedPasswordField
            label={t("password")}
            autoComplete="new-password"
            code={codeOf("password")}
          />
        </>
      )}
    </SecretForm>
  );
}
