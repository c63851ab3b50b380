"use client";

import type { ComponentProps } from "react";
import { Field } from "./field";
import { PasswordInput } from "./password-input";

type PasswordFieldProps = Pick<ComponentProps<typeof Field>, "label" | "hint" | "error"> &
  Pick<ComponentProps<typeof PasswordInput>, "ref" | "name" | "readOnly"> & {
    /** What a password store may do: fill in the one it knows, or make one up and keep it. */
    autoComplete: "current-password" | "new-password";
  };

/** A person's own password, uncontrolled: no state of the page ever holds what is typed. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput name="password" {...control} {...input} required />}
    </Field>
  );
}
