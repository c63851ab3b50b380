"use client";

import { PasswordField } from "./password-field";
import { useFieldError } from "./use-field-error";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";

type CheckedPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "hint" | "error"> & {
  /** Why it was refused. */
  code: string | null | undefined;
};

/** The rules are the server's, and it says which one is broken. */
export function CheckedPasswordField({ code, ...field }: CheckedPasswordFieldProps) {
  const t = useTranslations("password");
  const errorOf = useFieldError("password.errors");
  const hint = field.autoComplete === "new-password" ? t("newHint") : null;
  return <PasswordField {...field} hint={hint} error={errorOf(code)} />;
}
