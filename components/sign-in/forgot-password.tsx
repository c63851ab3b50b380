"use client";

import { FailureText } from "@/components/forms/failure-text";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/forms/text-input";
import { fetchJson, type Failure } from "@/lib/platform/http/client/fetch-json";
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
  const [refused, setRefused] = useState<"missing" | "invalid" | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pending, setPending] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (pending) return;
    const email = input.current?.value.trim() ?? "";
    setFailure(null);
    setSentTo(null);
    setRefused(email === "" ? "missing" : null);
    if (email !== "") {
      setPending(true);
      const answer = await fetchJson("/api/password-links", { body: { email }, timeout });
      setPending(false);
      if (answer.kind === "ok") {
        setSentTo(email);
        return;
      }
      const isField = answer.kind === "problem" && answer.problem.errors?.length;
      if (isField) setRefused("invalid");
      else setFailure(answer);
    }
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
      {failure ? (
        <Notice tone="bad" role="alert">
          <FailureText failure={failure} unreachable={t("forgotten.unreachable")} />
        </Notice>
      ) : null}
      <form
        method="post"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-4"
      >
        <Field
          label={t("email")}
          error={refused && t(refused === "missing" ? "missing.email" : "forgotten.invalid")}
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
