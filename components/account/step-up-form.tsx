"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SecretForm } from "@/components/forms/secret-form";
import { PasswordField } from "@/components/forms/password-field";
import type { ProofAnswer } from "@/lib/account/client/prove";
import type { PasskeyFailure } from "@/lib/platform/auth/client/passkey-client";
import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

/** How the person can prove their identity. */
export type StepUpWays = { password: boolean; passkey: boolean };

type StepUpFormProps = {
  ways: StepUpWays;
  /** What stands in place of the field where they proved it a short time ago. */
  counts?: ReactNode;
  /** The outcome of the last attempt. */
  refused: { kind: string } | null;
  pending: boolean;
  words: Record<"password" | "hint" | "missing" | "wrong" | "submit" | "asking", string>;
  submitIcon?: ReactNode;
  /** A message above the whole form. */
  notice: ReactNode;
  /** Left out where they proved it a short time ago. */
  onPassword: (typed?: string) => void;
  onPasskey: () => void;
  onCancel: () => void;
};

/** How a person proves their identity again. The password stays in its field: no state of the page ever holds it. */
export function StepUpForm(props: StepUpFormProps) {
  const { ways, counts, refused, pending, words, submitIcon, notice } = props;
  const { onPassword, onPasskey, onCancel } = props;
  const t = useTranslations();
  const needsPassword = ways.password && !counts;
  const offersPasskey = ways.passkey && !counts;
  return (
    <SecretForm
      fields={needsPassword ? ["password"] : []}
      submit={{ label: words.submit, icon: submitIcon }}
      mutation={{ pending }}
      refused={refused}
      refusedAt={() => (refused?.kind === "wrong_password" && !pending ? "wrong_password" : null)}
      retype="password"
      onSend={(typed) => onPassword(typed.password)}
      actions={(submit) => (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p aria-live="polite" className="mr-auto text-small text-ink-2">
            {pending ? words.asking : ""}
          </p>
          <Button onClick={onCancel}>{t("common.cancel")}</Button>
          {offersPasskey ? (
            <Button
              variant={needsPassword ? "secondary" : "primary"}
              pending={pending}
              data-proves
              icon={<Fingerprint aria-hidden />}
              onClick={onPasskey}
            >
              {t("shell.passkey.use")}
            </Button>
          ) : null}
          {needsPassword || counts ? submit : null}
        </div>
      )}
    >
      {(codeOf) => (
        <>
          {notice}
          {counts ? <p className="text-small text-ink-2">{counts}</p> : null}
          {needsPassword ? (
            <PasswordField
              label={words.password}
              hint={words.hint}
              error={
                codeOf("password") === "required"
                  ? words.missing
                  : codeOf("password") && words.wrong
              }
              autoComplete="current-password"
              readOnly={pending}
            />
          ) : null}
        </>
      )}
    </SecretForm>
  );
}

/** What went wrong, unless the field says it. */
export function ProofFailure({ answer }: { answer: ProofAnswer }) {
  const t = useTranslations("shell");
  if (answer.kind === "no_passkey") return <PasskeyNotice why={answer.why} />;
  if (answer.kind !== "failed") return null;
  return <FailureNotice failure={answer.failure} unreachable={t("stepUp.unreachable")} />;
}

/** Why the browser came back without a passkey. */
export function PasskeyNotice({ why }: { why: PasskeyFailure }) {
  const t = useTranslations("shell.passkey");
  return (
    <Notice tone={why === "cancelled" ? "warn" : "bad"} role="alert">
      {t(`failures.${why}`)}
    </Notice>
  );
}
