"use client";

import { Field } from "@/components/forms/field";
import { useFieldError } from "@/components/forms/use-field-error";
import { LineInput } from "@/components/forms/line-input";
import { checkCallbackTarget, type TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { limits } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import { FieldAdvice, hiddenProblem, useAfterPress } from "./field-advice";
import type { WebhookForm } from "./use-webhook-sheet";

type CallbackUrlFieldProps = {
  form: WebhookForm;
  url: string;
  policy: TargetPolicy;
  readOnly: boolean;
};

export function CallbackUrlField({ form, url, policy, readOnly }: CallbackUrlFieldProps) {
  const t = useTranslations();
  const errorOf = useFieldError("webhooks.fieldErrors.url");
  const afterPress = useAfterPress();
  const field = form.register("url");
  const check = checkCallbackTarget(url, policy);
  const error = form.formState.errors.url?.message ?? hiddenProblem(check);
  const suggestion = error && !check.ok ? check.suggestion : undefined;

  function use(value: string) {
    form.setValue("url", value, { shouldDirty: true, shouldValidate: true });
    form.setFocus("url");
  }

  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t("webhooks.sheet.url")}
        counter={{ count: url.length, limit: limits.callbackUrl }}
        error={errorOf(error)}
        hint={error ? undefined : t("webhooks.sheet.urlHint")}
      >
        {(control) => (
          <LineInput
            {...control}
            {...field}
            // The focus began here: a person who leaves it empty to do something else first has made no mistake.
            onBlur={(event) => url !== "" && afterPress(() => void field.onBlur(event))}
            readOnly={readOnly}
            inputMode="url"
          />
        )}
      </Field>
      <FieldAdvice
        typed={url}
        suggestion={suggestion}
        onUse={use}
        warnings={check.ok ? check.warnings : []}
      />
    </div>
  );
}
