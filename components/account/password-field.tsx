"use client";

import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { useTranslations } from "next-intl";
import type { Ref } from "react";

type PasswordFieldProps = {
  ref: Ref<HTMLInputElement>;
  label: string;
  name: string;
  autoComplete: "current-password" | "new-password";
  hint?: string;
  /** Why it was refused. */
  code: string | null;
};

const worded = [
  "required",
  "too_short",
  "too_long",
  "common",
  "repetitive",
  "sequence",
  "contains_name",
] as const;

/** The rules are the server's, and it says which one is broken. */
export function PasswordField({ ref, label, hint, code, ...input }: PasswordFieldProps) {
  const t = useTranslations();
  const known = worded.find((word) => word === code);
  const error = known
    ? t(`invitation.fieldErrors.${known}`)
    : code === "wrong_password"
      ? t("account.wrongPassword")
      : code !== null && t("invitation.fieldErrors.other", { code });
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <PasswordInput
          {...control}
          {...input}
          ref={ref}
          required
          showLabel={t("account.show")}
          hideLabel={t("account.hide")}
        />
      )}
    </Field>
  );
}
