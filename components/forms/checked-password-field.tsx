"use client";

import type { ComponentProps } from "react";
import { PasswordField } from "./password-field";
import { useFieldError } from "./use-field-error";
import { useTranslations } from "next-intl";

type CheckedPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "hint" | "error"> & {
  /** The error code of the server's refusal. */
  code: string | null | undefined;
};

/** A password field whose rules only the server checks. */
export function CheckedPasswordField({ code, ...field }: CheckedPasswordFieldProps) {
  const t = useTranslations("password");
  const errorOf = useFieldError("password.errors");
  const hint = field.autoComplete === "new-password" ? t("newHint") : null;
  return <PasswordField {...field} hint={hint} error={errorOf(code)} />;
}
