"use client";

import { Button } from "@/components/ui/button";
import { begunCodesSchema, type BegunCodes } from "@/lib/account/account";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { AccountFailure } from "./account-failure";
import { PasswordField } from "./password-field";
import { fieldCode, useAccountChange } from "./use-account-change";

type BeginCodesFormProps = { onBegun: (begun: BegunCodes) => void; onCancel: () => void };

/** The password again: an open session alone sets up nothing that would keep its person out. */
export function BeginCodesForm({ onBegun, onCancel }: BeginCodesFormProps) {
  const t = useTranslations();
  const password = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState(false);
  const { pending, failure, change } = useAccountChange(begunCodesSchema);
  useEffect(() => password.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const typed = password.current?.value ?? "";
    setMissing(typed === "");
    const begun = typed && (await change({ path: "one-time-codes", body: { password: typed } }));
    if (begun) onBegun(begun);
    else password.current?.focus();
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex max-w-md flex-col gap-4"
    >
      <AccountFailure failure={failure} />
      <PasswordField
        ref={password}
        label={t("account.codes.password")}
        name="password"
        autoComplete="current-password"
        code={missing ? "required" : fieldCode(failure, "password")}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={pending}>
          {t("account.codes.continue")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}
