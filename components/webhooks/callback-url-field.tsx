"use client";

import { Field } from "@/components/ui/field";
import { TextInput } from "@/components/ui/text-input";
import { checkCallbackTarget, type TargetPolicy } from "@/lib/webhooks/rules/callback-target";
import { limits } from "@/lib/webhooks/types";
import { useTranslations } from "next-intl";
import { FieldAdvice } from "./field-advice";
import { useAfterPress } from "./use-after-press";
import { useFieldMessage } from "./use-field-message";
import type { WebhookForm } from "./use-webhook-form";

type CallbackUrlFieldProps = {
  form: WebhookForm;
  url: string;
  policy: TargetPolicy;
  readOnly: boolean;
};

export function CallbackUrlField({ form, url, policy, readOnly }: CallbackUrlFieldProps) {
  const t = useTranslations("webhooks.sheet");
  const messageOf = useFieldMessage();
  const afterPress = useAfterPress();
  const field = form.register("url");
  const error = form.formState.errors.url?.message;
  const check = checkCallbackTarget(url, policy);
  const suggestion = error && !check.ok ? check.suggestion : undefined;

  function use(value: string) {
    form.setValue("url", value, { shouldDirty: true, shouldValidate: true });
    form.setFocus("url");
  }

  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t("url")}
        counter={t("counter", { count: url.length, limit: limits.callbackUrl })}
        error={messageOf("url", error)}
        hint={error ? undefined : t("urlHint")}
      >
        {(control) => (
          <TextInput
            {...control}
            {...field}
            onBlur={(event) => afterPress(() => void field.onBlur(event))}
            mono
            readOnly={readOnly}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      <FieldAdvice suggestion={suggestion} onUse={use} warnings={check.ok ? check.warnings : []} />
    </div>
  );
}
