"use client";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/forms/field";
import { TextInput } from "@/components/forms/text-input";
import { signInWithCode, type SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { FailureMessage } from "./failure-message";

type CodeFormProps = {
  callbackPath: string;
  /** The password has to be given again; null where the person wants to. */
  onBack: (failure: SignInFailure | null) => void;
};

/** The second step: a code from the app, or one of the recovery codes. */
export function CodeForm({ callbackPath, onBack }: CodeFormProps) {
  const t = useTranslations("signIn");
  const code = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState<"app" | "recovery">("app");
  const [missing, setMissing] = useState(false);
  const {
    pending,
    answer: failure,
    reset,
    send,
  } = useApiMutation(async (typed: string) => {
    const result = await signInWithCode({ code: typed, callbackUrl: callbackPath });
    return result.outcome === "signed_in" ? leaveFor(callbackPath) : result;
  });
  useEffect(() => code.current?.focus(), [kind]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const typed = code.current?.value.trim() ?? "";
    setMissing(typed === "");
    if (typed === "") {
      reset();
      code.current?.focus();
      return;
    }
    const result = await send(typed);
    if (result?.outcome === "code_over") onBack(result);
    code.current?.select();
  }

  return (
    <>
      {failure ? <FailureMessage failure={failure} /> : null}
      <form
        method="post"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-4"
      >
        <Field
          key={kind}
          label={t(`code.${kind}.label`)}
          hint={t(`code.${kind}.hint`)}
          error={missing && t("code.missing")}
        >
          {(control) => (
            <TextInput
              {...control}
              ref={code}
              mono
              name="code"
              inputMode={kind === "app" ? "numeric" : "text"}
              autoComplete={kind === "app" ? "one-time-code" : "off"}
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" pending={pending} className="w-full">
          {t("submit")}
        </Button>
      </form>
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
