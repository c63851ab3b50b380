"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/forms/field";
import { LineInput } from "@/components/forms/line-input";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import { weaknessOf } from "@/lib/webhooks/model/rules/authorization-weakness";
import { generateAuthorization } from "@/lib/webhooks/model/rules/generate-authorization";
import { limits } from "@/lib/webhooks/model/types";
import { Dices } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FieldAdvice, hiddenProblem } from "./field-advice";
import { useAfterPress } from "./use-after-press";
import { useFieldMessage } from "./use-field-message";
import type { WebhookForm } from "./use-webhook-form";

type AuthorizationValueFieldProps = {
  form: WebhookForm;
  value: string;
  /** Whether the service's list shows values: what it does not show, no admin can have revealed later. */
  list: Configuration["list"];
  readOnly: boolean;
};

/**
 * The new value, with the exact line that receivers will get. It is shown while it is typed: people compare it with
 * what their receiver expects, and few can read it back afterwards.
 */
export function AuthorizationValueField({
  form,
  value,
  list,
  readOnly,
}: AuthorizationValueFieldProps) {
  const t = useTranslations();
  const messageOf = useFieldMessage();
  const [generated, setGenerated] = useState(false);
  const afterPress = useAfterPress();
  const field = form.register("authorization.value");
  const check = checkAuthorizationValue(value);
  const error = form.formState.errors.authorization?.value?.message ?? hiddenProblem(check);
  const suggestion = error && !check.ok ? check.suggestion : undefined;

  // Nobody is told so while still typing.
  const weakness = form.formState.touchedFields.authorization?.value && weaknessOf(value);

  function use(next: string) {
    form.setValue("authorization.value", next, { shouldDirty: true, shouldValidate: true });
  }

  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t("webhooks.sheet.value")}
        counter={t("webhooks.sheet.counter", { count: value.length, limit: limits.authorization })}
        error={messageOf("value", error)}
        hint={error ? undefined : t(`webhooks.sheet.valueHint.${list}`)}
      >
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <LineInput
              {...control}
              {...field}
              onBlur={(event) => afterPress(() => void field.onBlur(event))}
              readOnly={readOnly}
              data-1p-ignore
              data-lpignore="true"
              className="flex-1 basis-48"
            />
            <Button
              icon={<Dices aria-hidden />}
              disabled={readOnly}
              onClick={() => {
                use(generateAuthorization());
                setGenerated(true);
              }}
            >
              {t("webhooks.sheet.generate")}
            </Button>
          </div>
        )}
      </Field>
      <span aria-live="polite" className="sr-only">
        {generated ? t("webhooks.sheet.generated") : ""}
      </span>
      <FieldAdvice
        typed={value}
        suggestion={suggestion}
        onUse={use}
        warnings={check.ok ? [...check.warnings, ...(weakness ? [weakness] : [])] : []}
      />
      <div className="flex min-h-10 items-center justify-between gap-2 rounded-control bg-sunken py-1 pr-1 pl-2.5">
        <p className="min-w-0 text-small">
          <span className="text-ink-3">{t("webhooks.sheet.preview")}</span>{" "}
          <code className="font-mono text-xs break-all whitespace-pre-wrap text-ink">
            Authorization: {value}
          </code>
        </p>
        {value ? (
          <CopyButton
            text={value}
            label={t("webhooks.sheet.copyValue")}
            copiedLabel={t("common.copied")}
            failedLabel={t("common.copyFailed")}
          />
        ) : null}
      </div>
    </div>
  );
}
