"use client";

import { FailureNotice, ProblemText } from "@/components/forms/failure-notice";
import { PasswordField } from "@/components/forms/password-field";
import { SecretForm } from "@/components/forms/secret-form";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Dialog } from "@/components/ui/dialog";
import { Sentences } from "@/components/ui/sentences";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import {
  readProofOptions,
  proveWithPasskey,
  proveWithPassword,
  type ProofAnswer,
} from "@/lib/account/client/prove";
import type { StepUpOptions } from "@/lib/account/model/account";
import { confirmPath, confirmWindow, whenConfirmed } from "@/lib/account/client/confirmed";
import type { PasskeyFailure } from "@/lib/platform/auth/client/passkey-client";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";

/** How the person can prove their identity. */
type StepUpMethods = { password: boolean; passkey: boolean; provider: string | null };

type StepUpQuestionProps = {
  /** `passkey`: with a passkey where the person has one. */
  method: "passkey" | "any";
  /** Asked for where they are not given. */
  options?: StepUpOptions | undefined;
  /** The label of the submit button. */
  submitLabel?: string;
  /** `given`: the person proved their identity, and the action may go on. */
  onEnd: (given: boolean) => void;
};

/** Asks for a proof of identity, in a dialog above the page. */
export function StepUpDialog(props: StepUpQuestionProps) {
  const t = useTranslations("shell.stepUp");
  return (
    <Dialog title={t("title")} description={t("intro")} onClose={() => props.onEnd(false)}>
      <StepUpQuestion {...props} />
    </Dialog>
  );
}

/** The same question, inside another dialog. */
export function StepUpQuestion({ method, options, submitLabel, onEnd }: StepUpQuestionProps) {
  const t = useTranslations();
  const [methods, setMethods] = useState(options ? methodsIn(options, method) : null);
  const [failed, setFailed] = useState<ProofAnswer | null>(null);
  const { pending, answer, send } = useApiMutation((prove: () => Promise<ProofAnswer>) => prove());

  useEffect(() => {
    if (options) return;
    void readProofOptions().then((read) => {
      if ("failure" in read) setFailed({ kind: "failed", failure: read.failure });
      else setMethods(methodsIn(read, method));
    });
  }, [options, method]);

  const onlyPasskeyId = useId();
  // The dialog opened without these elements, so they take the focus now.
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (methods) body.current?.querySelector<HTMLElement>("input, [data-proves]")?.focus();
  }, [methods]);

  async function prove(proof: () => Promise<ProofAnswer>) {
    const proved = await send(proof);
    if (proved?.kind === "given") onEnd(true);
  }

  return (
    <>
      {failed ? <ProofFailure answer={failed} /> : null}
      {!methods && !failed ? <Skeleton className="h-9 w-full" /> : null}
      {methods && !methods.password && !methods.passkey && methods.provider === null ? (
        <>
          <Notice tone="info">
            <ProblemText problem={{ code: "no_password" }} />
          </Notice>
          <Button className="self-end" onClick={() => onEnd(false)}>
            {t("common.close")}
          </Button>
        </>
      ) : methods ? (
        <div ref={body} className="flex flex-col gap-4">
          {/* The field is uncontrolled, so that no React state ever holds the password. */}
          {methods.provider === null ? null : (
            <AtProvider name={methods.provider} onConfirmed={() => onEnd(true)} />
          )}
          <SecretForm
            fields={methods.password ? ["password"] : []}
            submit={{ label: submitLabel ?? t("shell.stepUp.submit") }}
            mutation={{ pending }}
            refused={answer}
            refusedAt={() =>
              answer?.kind === "wrong_password" && !pending ? "wrong_password" : null
            }
            retype="password"
            onSend={(typed) => void prove(() => proveWithPassword(typed.password))}
            actions={(submitButton) => (
              <div className="flex flex-wrap items-center justify-end gap-2">
                <p aria-live="polite" className="mr-auto text-small text-ink-2">
                  {pending ? t("shell.stepUp.asking") : ""}
                </p>
                <Button onClick={() => onEnd(false)}>{t("common.cancel")}</Button>
                {methods.passkey ? (
                  <Button
                    variant={methods.password || methods.provider ? "secondary" : "primary"}
                    pending={pending}
                    data-proves
                    aria-describedby={method === "passkey" ? onlyPasskeyId : undefined}
                    icon={<Fingerprint aria-hidden />}
                    onClick={() => void prove(proveWithPasskey)}
                  >
                    {t("shell.passkey.use")}
                  </Button>
                ) : null}
                {methods.password ? submitButton : null}
              </div>
            )}
          >
            {(codeOf) => (
              <>
                {answer ? <ProofFailure answer={answer} /> : null}
                {method === "passkey" && methods.passkey ? (
                  <p id={onlyPasskeyId} className="text-ink-2">
                    {t("shell.stepUp.onlyPasskey")}
                  </p>
                ) : null}
                {methods.password ? (
                  <PasswordField
                    label={t("shell.stepUp.password")}
                    hint={t("shell.stepUp.hint")}
                    error={
                      codeOf("password") === "required"
                        ? t("shell.stepUp.missing")
                        : codeOf("password") && t("shell.stepUp.wrong")
                    }
                    autoComplete="current-password"
                    readOnly={pending}
                  />
                ) : null}
              </>
            )}
          </SecretForm>
        </div>
      ) : null}
    </>
  );
}

function methodsIn(options: StepUpOptions, method: StepUpQuestionProps["method"]): StepUpMethods {
  const passkey = options.passkey !== null;
  const takesOthers = method === "any" || !passkey;
  return {
    password: options.password && takesOthers,
    passkey,
    provider: takesOthers ? options.provider : null,
  };
}

/**
 * Leads to the provider in a window of its own, so that this page keeps what was typed into it. That window says when
 * the person is confirmed; where a browser opens none, the link opens a tab.
 */
function AtProvider({ name, onConfirmed }: { name: string; onConfirmed: () => void }) {
  const t = useTranslations("shell.stepUp.provider");
  const [isOpen, setIsOpen] = useState(false);
  const confirmed = useEffectEvent(onConfirmed);
  useEffect(() => whenConfirmed(confirmed), []);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">
        <Sentences of={[t("text", { name }), t("window")]} />
      </p>
      <ButtonLink
        variant="primary"
        href={confirmPath}
        target={confirmWindow}
        data-proves
        className="self-start"
        onClick={(event) => {
          setIsOpen(true);
          if (window.open(confirmPath, confirmWindow, "popup,width=520,height=720"))
            event.preventDefault();
        }}
      >
        {t("go", { name })}
      </ButtonLink>
      <p aria-live="polite" className="text-small text-ink-2">
        {isOpen ? t("waiting", { name }) : ""}
      </p>
    </div>
  );
}

/** What went wrong, unless the password field says it. */
export function ProofFailure({ answer }: { answer: ProofAnswer }) {
  const t = useTranslations("shell");
  if (answer.kind === "no_passkey") return <PasskeyNotice why={answer.why} />;
  if (answer.kind !== "failed") return null;
  return <FailureNotice failure={answer.failure} unreachable={t("stepUp.unreachable")} />;
}

/** Why the browser returned no passkey. */
export function PasskeyNotice({ why }: { why: PasskeyFailure }) {
  const t = useTranslations("shell.passkey");
  return (
    <Notice tone={why === "cancelled" ? "warn" : "bad"} role="alert">
      {t(`failures.${why}`)}
    </Notice>
  );
}
