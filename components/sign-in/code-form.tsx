"use client";

import { Button } from "@/components/ui/button";
import { SecretForm } from "@/components/forms/secret-form";
import { TextField } from "@/components/forms/text-field";
import { signInWithCode, type SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailureMessage } from "./failure-message";

type CodeFormProps = {
  callbackPath: string;
  /** The person has to enter the password again; null where they choose to. */
  onBack: (failure: SignInFailure | null) => void;
};

/** The second step: a code from the app, or one of the recovery codes. */
export function CodeForm({ callbackPath, onBack }: CodeFormProps) {
  const t = useTranslations("signIn");
  const [kind, setKind] = useState<"app" | "recovery">("app");
  const mutation = useApiMutation(async (code: string) => {
    const result = await signInWithCode(code);
    return result.outcome === "signed_in" ? leaveFor(callbackPath) : result;
  });

  const { answer: failure } = mutation;

  async function submit({ code }: { code: string }) {
    const result = await mutation.send(code.trim());
    if (result?.outcome === "code_over") onBack(result);
  }

  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      <SecretForm
        key={kind}
        opened
        fields={["code"]}
        submit={{ label: t("submit"), size: "lg", className: "w-full" }}
        mutation={mutation}
        refused={failure}
        retype="code"
        onSend={(typed) => void submit(typed)}
      >
        {(codeOf) => (
          <TextField
            mono
            required
            label={t(`code.${kind}.label`)}
            hint={t(`code.${kind}.hint`)}
            error={codeOf("code") && t("code.missing")}
            name="code"
            inputMode={kind === "app" ? "numeric" : "text"}
            autoComplete={kind === "app" ? "one-time-code" : "off"}
          />
        )}
      </SecretForm>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          variant="ghost"
          size="sm"
          onClick={() => setKind(kind === "app" ? "recovery" : "app")}
        >
          {t(`code.${kind}.other`)}
        </Button>
        <Button variant="ghost" size="sm" onClick={() => onBack(null)}>
          {t("code.back")}
        </Button>
      </div>
    </>
  );
}
