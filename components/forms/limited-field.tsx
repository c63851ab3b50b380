"use client";

import type { ComponentProps } from "react";
import { Field } from "./field";
import { TextInput } from "./text-input";

type LimitedFieldProps = ComponentProps<typeof TextInput> &
  Pick<ComponentProps<typeof Field>, "label" | "hint" | "error"> & {
    /** How many characters it holds, and how many are allowed. */
    length: number;
    maxLength: number;
  };

/** One line of free text with a limited length. */
export function LimitedField({ label, hint, error, length, ...input }: LimitedFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      counter={{ count: length, limit: input.maxLength }}
    >
      {(control) => <TextInput {...control} autoComplete="off" {...input} />}
    </Field>
  );
}
