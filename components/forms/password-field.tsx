"use client";

import type { ComponentProps } from "react";
import { Field } from "./field";
import { PasswordInput } from "./password-input";
import { useFieldError } from "./use-field-error";
import { useTranslations } from "next-intl";

type PasswordFieldProps = Pick<ComponentProps<typeof Field>, "label" | "hint" | "error"> &
  Pick<ComponentProps<typeof PasswordInput>, "ref" | "name" | "readOnly"> & {
    /** What a password manager may do: fill in the one it knows, or generate one and keep it. */
    autoComplete: "current-password" | "new-password";
  };

/** A person's own password, uncontrolled: no state of the page ever holds it. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput name="password" {...control} {...input} required />}
    </Field>
  );
}

type CheckedPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "hint" | "error"> & {
  /** Why the server refused it. */
  code: string | null | undefined;
};

/** The server has the rules, and says which one is broken. */
export function CheckedPasswordField({ code, ...field }: CheckedPasswordFieldProps) {
  const t = useTranslations("password");
  const errorOf = useFieldError("password.errors");
  const hint = field.autoComplete === "new-password" ? t("newHint") : null;
  return <PasswordField {...field} hint={hint} error={errorOf(code)} />;
}

/** For the browser's password manager, which otherwise would not know whose password this form takes. */
export function PasswordOwner({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />;
}
