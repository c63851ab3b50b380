"use client";

import type { ComponentProps } from "react";
import { Field } from "./field";
import { PasswordInput } from "./password-input";

type PasswordFieldProps = Pick<ComponentProps<typeof Field>, "label" | "hint" | "error"> &
  Pick<ComponentProps<typeof PasswordInput>, "name" | "readOnly" | "autoComplete">;

/** An uncontrolled field for the person's own password, so that no React state ever holds it. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput name="password" {...control} {...input} required />}
    </Field>
  );
}

/** Tells the browser's password manager whose password this form takes. */
export function UsernameField({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />;
}
