"use client";

import { Field } from "@/components/forms/field";
import { TextInput } from "@/components/forms/text-input";
import { useTranslations } from "next-intl";

type CodeFieldProps = {
  label: string;
  hint?: string;
  /** Recovery codes have letters. */
  letters?: boolean;
  /** Why it was refused. */
  code: string | null;
};

/** For a code that is typed off another device. */
export function CodeField({ label, hint, letters = false, code }: CodeFieldProps) {
  const t = useTranslations("account.codes.errors");
  const known = (["required", "wrong_code"] as const).find((word) => word === code);
  const error = known ? t(known) : code !== null && t("other", { code });
  return (
    <Field label={label} hint={hint} error={error} className="max-w-64">
      {(control) => (
        <TextInput
          {...control}
          mono
          name="code"
          inputMode={letters ? "text" : "numeric"}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      )}
    </Field>
  );
}
