"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { beyondFields, errorsIn } from "@/components/forms/use-field-error";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/forms/text-input";
import { sendJson } from "@/lib/platform/http/client/send-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";
import { useId, useRef, useState, type FormEvent } from "react";

type ForgotPasswordProps = {
  /** Whether Gancho sends mail; else somebody has to hand a link over. */
  mails: boolean;
  /** What the identity provider is called; null where none is set up. */
  provider: string | null;
};

/** The way back for somebody who forgot their password. */
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

/** Nothing that is sent takes long: the mail is on its way only after the answer. Milliseconds. */
const timeout = 15_000;

function AskForLink() {
  const t = useTranslations("signIn");
  const input = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const { pending, answer, failure, reset, send } = useApiMutation((email: string) =>
    sendJson("/api/password-links", { body: { email }, timeout, parse: () => ({ sentTo: email }) }),
  );
  const sentTo = answer?.kind === "done" ? answer.result.sentTo : null;
  const isInvalid = errorsIn(failure).length > 0;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    const email = input.current?.value.trim() ?? "";
    setMissing(email === "");
    if (email === "") reset();
    else if ((await send(email))?.kind === "done") return;
    input.current?.focus();
  }

  return (
    <>
      <p className="text-pretty text-ink-2">{t("forgotten.intro")}</p>
      <div role="status" className="-mt-5 not-empty:mt-0">
        {sentTo === null ? null : (
          <Notice tone="ok" title={t("forgotten.sent.title")}>
            {t("forgotten.sent.text", { email: sentTo })}
          </Notice>
        )}
      </div>
      <FailureNotice
        failure={beyondFields(failure, ["email"])}
        unreachable={t("forgotten.unreachable")}
      />
      <form
        method="post"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-4"
      >
        <Field
          label={t("email")}
          error={missing ? t("missing.email") : isInvalid && t("forgotten.invalid")}
        >
          {(control) => (
            <TextInput
              {...control}
              ref={input}
              name="email"
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" pending={pending} className="w-full">
          {t("forgotten.submit")}
        </Button>
      </form>
    </>
  );
}

function WhomToAsk() {
  const t = useTranslations("signIn.forgotten.byHand");
  return (
    <div className="flex flex-col gap-3 text-pretty text-ink-2">
      <p>{t("intro")}</p>
      <ul className="flex list-disc flex-col gap-2 pl-5">
        <li>{t("partner")}</li>
        <li>{t("others")}</li>
      </ul>
      <p>{t("proves")}</p>
    </div>
  );
}
