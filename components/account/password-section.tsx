"use client";

import { CheckedPasswordField } from "@/components/forms/checked-password-field";
import { UsernameField } from "@/components/forms/password-field";
import { ResultNotice } from "@/components/forms/result-notice";
import { endedSessionsSchema } from "@/lib/account/model/account";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AccountForm } from "./account-form";
import { Section } from "@/components/ui/section";

/** Changes the password of a person who knows the current one. */
export function PasswordSection({ email, passwordSet }: { email: string; passwordSet: boolean }) {
  const t = useTranslations("account.password");
  const [ended, setEnded] = useState<number | null>(null);
  return (
    <Section
      screenOnly={passwordSet}
      anchor="password"
      title={t("title")}
      text={t(passwordSet ? "text" : "none")}
    >
      {passwordSet ? (
        <AccountForm
          request={{ path: "password" }}
          answer={endedSessionsSchema}
          fields={["current", "password"]}
          submit={{ label: t("submit"), variant: "secondary" }}
          onSubmit={() => setEnded(null)}
          onDone={(answer) => setEnded(answer.ended)}
          className="max-w-md"
        >
          {(codeOf) => (
            <>
              <ResultNotice
                result={
                  ended === null ? null : { tone: "ok", children: t("changed", { count: ended }) }
                }
              />
              <UsernameField email={email} />
              <CheckedPasswordField
                label={t("current")}
                name="current"
                autoComplete="current-password"
                code={codeOf("current")}
              />
              <CheckedPasswordField
                label={t("new")}
                autoComplete="new-password"
                code={codeOf("password")}
              />
            </>
          )}
        </AccountForm>
      ) : null}
    </Section>
  );
}
