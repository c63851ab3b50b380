"use client";

import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { begunCodesSchema, type BegunCodes } from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { AccountForm } from "./account-form";

type BeginCodesFormProps = { onBegun: (begun: BegunCodes) => void; onCancel: () => void };

/** The password again: an open session alone sets up nothing that would keep its person out. */
export function BeginCodesForm({ onBegun, onCancel }: BeginCodesFormProps) {
  const t = useTranslations("account.codes");
  return (
    <AccountForm
      request={{ path: "one-time-codes" }}
      answer={begunCodesSchema}
      fields={["password"]}
      submit={{ label: t("continue"), variant: "primary" }}
      onDone={onBegun}
      onCancel={onCancel}
      className="max-w-md"
    >
      {(codeOf) => (
        <CheckedPasswordField
          label={t("password")}
          autoComplete="current-password"
          code={codeOf("password")}
        />
      )}
    </AccountForm>
  );
}
