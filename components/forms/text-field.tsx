import type { ComponentProps } from "react";
import { Field } from "./field";
import { TextInput } from "./text-input";

type TextFieldProps = ComponentProps<typeof TextInput> &
  Pick<ComponentProps<typeof Field>, "label" | "hint" | "error" | "className"> & {
    /** The number of characters typed; given, the field counts them against `maxLength`. */
    length?: number;
  };

/** Keeps the browser from correcting email addresses and code. */
const exact = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

/** One line of text under its label. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, className, length, ...input } = props;
  const { type, mono, maxLength: limit } = input;
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      className={className}
      counter={length === undefined || limit === undefined ? undefined : { count: length, limit }}
    >
      {(control) => (
        <TextInput {...control} {...(type === "email" || mono ? exact : {})} {...input} />
      )}
    </Field>
  );
}
