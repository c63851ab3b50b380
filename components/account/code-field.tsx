"use client";

import { TextField } from "@/components/forms/text-field";
import { useFieldError } from "@/components/forms/use-field-error";

type CodeFieldProps = {
  label: string;
  hint?: string;
  /** True for recovery codes. */
  letters?: boolean;
  /** The error code of the server's refusal. */
  code: string | null;
};

/** A field for a code from another device or from paper. */
export function CodeField({ label, hint, letters = false, code }: CodeFieldProps) {
  const errorOf = useFieldError("account.codes.errors");
  return (
    <TextField
      mono
      required
      label={label}
      hint={hint}
      error={errorOf(code)}
      className="max-w-64"
      name="code"
      inputMode={letters ? "text" : "numeric"}
      autoComplete="one-time-code"
    />
  );
}
