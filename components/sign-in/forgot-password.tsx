"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { SecretForm } from "@/components/forms/secret-form";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { TextField } from "@/components/forms/text-field";
import { sendJson } from "@/lib/platform/http/client/send-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";
import { useId } from "react";

type ForgotPasswordProps = {
  /** Whether Gancho sends mail; else somebody has to hand over a link. */
  mails: boolean;
  /** What the identity provider is called; null where none is set up. */
  provider: string | null;
};

/** Helps somebody who forgot their password. */
export function ForgotPassword({ mails, provider }: ForgotPasswordProps) {
  const t = useTranslations("signIn");
  const id = useId();
  return (
    <Card aria-labelledby={id} className="gap-5 p-6 sm:p-7">
      <h1 id={id} className="text-title font-semibold tracking-tight">
        {t("forgotten.title")}
      </h1>
      {mails ? <AskForLink /> : <WhomToAsk />}
      {provider === null ? null : (
        <p className="text-small text-pretty text-ink-2">
          {t("forgotten.singleSignOn", { name: provider })}
        </p>
      )}
      <ButtonLink href="/sign-in" size="lg">
        {t("forgotten.back")}
      </ButtonLink>
    </Card>
  );
}

/** The request is quick: the mail goes out only after the answer. Milliseconds. */
const timeout = 15_000;

function AskForLink() {
  const t = useTranslations("signIn");
  const mutation = useApiMutation((email: string) =>
    sendJson("/api/password-links", { body: { email }, timeout, parse: () => ({ sentTo: email }) }),
  );

  const { answer } = mutation;
  return (
    <>
      <p className="text-pretty text-ink-2">{t("forgotten.intro")}</p>
      <ResultNotice
        result={
          answer?.kind === "done"
            ? {
                tone: "ok",
                title: t("forgotten.sent.title"),
                children: t("forgotten.sent.text", { email: answer.result.sentTo }),
              }
            : null
        }
      />
      <SecretForm
        fields={["email"]}
        submit={{ label: t("forgotten.submit"), size: "lg", className: "w-full" }}
        mutation={mutation}
        failed={{ unreachable: t("forgotten.unreachable") }}
        retype="email"
        onSend={({ email }) => void mutation.send(email.trim())}
      >
        {(codeOf) => (
          <TextField
            type="email"
            required
            label={t("email")}
            error={
              codeOf("email") === "required"
                ? t("missing.email")
                : codeOf("email") && t("forgotten.invalid")
            }
            name="email"
            autoComplete="username"
          />
        )}
      </SecretForm>
    </>
  );
}

function WhomToAsk() {
  const t = useTranslations("signIn.forgotten");
  return <p className="text-pretty text-ink-2">{t("byHand")}</p>;
}
