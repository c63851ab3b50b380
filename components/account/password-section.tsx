"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { endedSessionsSchema } from "@/lib/account/account";
import { useTranslations } from "next-intl";
import { useRef, useState, type FormEvent } from "react";
import { AccountFailure } from "./account-failure";
import { AccountSection } from "./account-section";
import { PasswordField } from "./password-field";
import { fieldCode, useAccountChange } from "./use-account-change";

/** Another password, for whoever knows the present one. */
export function PasswordSection({ email, passwordSet }: { email: string; passwordSet: boolean }) {
  const t = useTranslations("account.password");
  return (
    <AccountSection title={t("title")} text={t(passwordSet ? "text" : "none")}>
      {passwordSet ? <PasswordForm email={email} /> : null}
    </AccountSection>
  );
}

function PasswordForm({ email }: { email: string }) {
  const t = useTranslations("account.password");
  const form = useRef<HTMLFormElement>(null);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState({ current: false, next: false });
  const [ended, setEnded] = useState<number | null>(null);
  const { pending, failure, change } = useAccountChange(endedSessionsSchema);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const typed = { current: current.current?.value ?? "", password: next.current?.value ?? "" };
    setEnded(null);
    setMissing({ current: !typed.current, next: !typed.password });
    if (!typed.current || !typed.password) {
      (typed.current ? next : current).current?.focus();
      return;
    }
    const answer = await change({ path: "password", body: typed });
    if (answer) form.current?.reset();
    setEnded(answer?.ended ?? null);
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex max-w-md flex-col gap-4"
    >
      <AccountFailure failure={failure} />
      <div role="status" className="-mt-4 not-empty:mt-0">
        {ended !== null ? <Notice tone="ok">{t("changed", { count: ended })}</Notice> : null}
      </div>
      {/* For the browser's password store, which otherwise would not know whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        ref={current}
        label={t("current")}
        name="current"
        autoComplete="current-password"
        code={missing.current ? "required" : fieldCode(failure, "current")}
      />
      <PasswordField
        ref={next}
        label={t("new")}
        name="password"
        autoComplete="new-password"
        hint={t("hint")}
        code={missing.next ? "required" : fieldCode(failure, "password")}
      />
      <Button type="submit" variant="primary" pending={pending} className="self-start">
        {t("submit")}
      </Button>
    </form>
  );
}
