import type { ComponentProps } from "react";
import { Field } from "./field";
import { TextInput } from "./text-input";

type EmailFieldProps = ComponentProps<typeof TextInput> &
  Pick<ComponentProps<typeof Field>, "label" | "hint" | "error">;

/** An email address: anybody's, unless `autoComplete` says that it is the person's. */
export function EmailField({ label, hint, error, ...input }: EmailFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <TextInput
          {...control}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...input}
        />
      )}
    </Field>
  );
}
