"use client";

import type { ComponentProps } from "react";
import { Field } from "./field";
import { TextInput } from "./text-input";

type LimitedFieldProps = ComponentProps<typeof TextInput> &
  Pick<ComponentProps<typeof Field>, "label" | "hint" | "error"> & {
    /** How much stands in it, and how much may; in characters. */
    length: number;
    maxLength: number;
  };

/** One line in a person's own words, of which there may be only so much. */
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
