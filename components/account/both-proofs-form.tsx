"use client";

import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { AccountForm } from "./account-form";
import { CodeField } from "./code-field";

type BothProofsFormProps<Answer> = Omit<
  ComponentProps<typeof AccountForm<"password" | "code", Answer>>,
  "fields" | "children" | "className"
> & {
  /** What comes of it. */
  text: string;
};

/** For what takes both that signing in takes. */
export function BothProofsForm<Answer>({ text, ...form }: BothProofsFormProps<Answer>) {
  const t = useTranslations("account.codes");
  return (
    <AccountForm {...form} fields={["password", "code"]} className="max-w-md">
      {(codeOf) => (
        <>
          <p className="text-pretty text-ink-2">{text}</p>
          <CheckedPasswordField
            label={t("password")}
            autoComplete="current-password"
            code={codeOf("password")}
          />
          <CodeField letters label={t("anyCode")} code={codeOf("code")} />
        </>
      )}
    </AccountForm>
  );
}
