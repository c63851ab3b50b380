"use client";

import type { ComponentProps } from "react";
import { Field } from "./field";
import { PasswordInput } from "./password-input";
import { useFieldError } from "./use-field-error";
import { useTranslations } from "next-intl";

type PasswordFieldProps = Pick<ComponentProps<typeof Field>, "label" | "hint" | "error"> &
  Pick<ComponentProps<typeof PasswordInput>, "name" | "readOnly"> & {
    /** Tells a password manager whether to fill in a stored password or to generate one. */
    autoComplete: "current-password" | "new-password";
  };

/** An uncontrolled field for the person's own password, so that no React state ever holds it. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput name="password" {...control} {...input} required />}
    </Field>
  );
}

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

/** Tells the browser's password manager whose password this form takes. */
export function UsernameField({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />;
}
