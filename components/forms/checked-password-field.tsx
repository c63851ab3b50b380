"use client";

import { PasswordField } from "./password-field";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";

type CheckedPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "hint" | "error"> & {
  /** Why it was refused. */
  code: string | null | undefined;
};

const worded = [
  "required",
  "too_short",
  "too_long",
  "common",
  "repetitive",
  "sequence",
  "contains_name",
  "wrong_password",
] as const;

/** The rules are the server's, and it says which one is broken. */
export function CheckedPasswordField({ code, ...field }: CheckedPasswordFieldProps) {
  const t = useTranslations("password");
  const known = worded.find((word) => word === code);
  const error = known ? t(`errors.${known}`) : code && t("errors.other", { code });
  const hint = field.autoComplete === "new-password" ? t("newHint") : null;
  return <PasswordField {...field} hint={hint} error={error} />;
}
