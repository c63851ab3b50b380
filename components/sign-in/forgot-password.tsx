"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { SecretForm } from "@/components/forms/secret-form";
import { ButtonLink } from "@/components/ui/button-link";
import { BareCard } from "@/components/layout/bare-frame";
import { TextField } from "@/components/forms/text-field";
import { sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";

type ForgotPasswordProps = {
  /** Whether Gancho sends email; if not, an operator has to hand over a link. */
  mails: boolean;
  /** The identity provider's name; null if none is set up. */
  provider: string | null;
};

/** For people who forgot their password. */
export function ForgotPassword({ mails, provider }: ForgotPasswordProps) {
  const t = useTranslations("signIn");
  return (
    <BareCard title={t("forgotten.title")}>
      {mails ? <AskForLink /> : <p className="text-pretty text-ink-2">{t("forgotten.byHand")}</p>}
      {provider === null ? null : (
        <p className="text-small text-pretty text-ink-2">
          {t("forgotten.singleSignOn", { name: provider })}
        </p>
      )}
      <ButtonLink href="/sign-in" size="lg">
        {t("forgotten.back")}
      </ButtonLink>
    </BareCard>
  );
}

/** Milliseconds. The request is quick: the email goes out after the response. */
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
