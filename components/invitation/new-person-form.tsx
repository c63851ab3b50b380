"use client";

import { CheckedPasswordField, PasswordOwner } from "@/components/forms/password-field";
import { Notice } from "@/components/ui/notice";
import { SecretForm } from "@/components/forms/secret-form";
import { TextField } from "@/components/forms/text-field";
import { useFieldError } from "@/components/forms/use-field-error";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import type { Accept } from "@/lib/team/model/requests";
import { useTranslations } from "next-intl";
import type { OpenOffer, Refusal } from "./use-invitation";
import { FailureMessage } from "@/components/sign-in/failure-message";
import { SingleSignOn } from "@/components/sign-in/single-sign-on";
import type { SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { useState, type ComponentProps } from "react";

type NewPersonFormProps = {
  offer: OpenOffer;
  onAccept: (person: NonNullable<Accept["person"]>) => Promise<Refusal | null>;
};

/** Name and password of somebody who has no account yet. */
function NewPersonForm({ offer, onAccept }: NewPersonFormProps) {
  const t = useTranslations("invitation");
  const errorOf = useFieldError("invitation.fieldErrors");
  const mutation = useApiMutation(onAccept);
  const { answer } = mutation;
  const codes = answer?.kind === "fields" ? answer.errors : [];
  const codeAt = (path: string) => codes.find((error) => error.path === path)?.code ?? null;
  const person = codeAt("person");
  return (
    <SecretForm
      fields={["name", "password"]}
      submit={{ label: t("new.submit"), size: "lg", className: "w-full" }}
      mutation={mutation}
      failed={{ title: t("failed.title"), unreachable: t("failed.noAnswer") }}
      refused={answer}
      refusedAt={(field) =>
        codeAt(`person.${field}`) ??
        (field === "password" && person !== "has_account" ? person : null)
      }
      onSend={(typed) => void mutation.send(typed)}
    >
      {(codeOf) => (
        <>
          <p className="text-ink-2">{t("new.text")}</p>
          {person === "has_account" ? (
            <Notice tone="warn" role="alert" title={t("known.hasAccount")}>
              {t("known.hasAccountNext")}
            </Notice>
          ) : null}
          <PasswordOwner email={offer.email} />
          <TextField
            required
            label={t("new.name")}
            hint={t("new.nameHint")}
            error={errorOf(codeOf("name"))}
            name="name"
            defaultValue={offer.name ?? ""}
            autoComplete="name"
            maxLength={100}
          />
          <CheckedPasswordField
            label={t("new.password")}
            autoComplete="new-password"
            code={codeOf("password")}
          />
        </>
      )}
    </SecretForm>
  );
}

type NewPersonProps = ComponentProps<typeof NewPersonForm> & { provider: string | null };

/** For somebody who has no account yet: their provider vouches for them, or they choose a password. */
export function NewPerson({ provider, ...form }: NewPersonProps) {
  const [failure, setFailure] = useState<SignInFailure | null>(null);
  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      {provider === null ? null : (
        <SingleSignOn
          name={provider}
          callbackPath="/invitation"
          askWho={false}
          onFailure={setFailure}
        />
      )}
      <NewPersonForm {...form} />
    </>
  );
}
