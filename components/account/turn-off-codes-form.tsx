"use client";

import { Button } from "@/components/ui/button";
import { turnedOffSchema } from "@/lib/account/account";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { AccountFailure } from "./account-failure";
import { CodeField } from "./code-field";
import { PasswordField } from "./password-field";
import { fieldCode, useAccountChange } from "./use-account-change";

type TurnOffCodesFormProps = { onDone: () => void; onCancel: () => void };

/** Takes both that signing in takes. */
export function TurnOffCodesForm({ onDone, onCancel }: TurnOffCodesFormProps) {
  const t = useTranslations();
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState({ password: false, code: false });
  const { pending, failure, change } = useAccountChange(turnedOffSchema);
  useEffect(() => password.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const typed = {
      password: password.current?.value ?? "",
      code: code.current?.value.trim() ?? "",
    };
    setMissing({ password: !typed.password, code: !typed.code });
    if (!typed.password || !typed.code) {
      (typed.password ? code : password).current?.focus();
      return;
    }
    if (await change({ path: "one-time-codes", method: "DELETE", body: typed })) onDone();
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex max-w-md flex-col gap-4"
    >
      <p className="text-pretty text-ink-2">{t("account.codes.turnOffText")}</p>
      <AccountFailure failure={failure} />
      <PasswordField
        ref={password}
        label={t("account.codes.password")}
        name="password"
        autoComplete="current-password"
        code={missing.password ? "required" : fieldCode(failure, "password")}
      />
      <CodeField
        ref={code}
        letters
        label={t("account.codes.anyCode")}
        code={missing.code ? "required" : fieldCode(failure, "code")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="danger" pending={pending}>
          {t("account.codes.turnOff")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}
