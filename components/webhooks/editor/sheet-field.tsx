"use client";

import { Field } from "@/components/forms/field";
import type { Elements } from "@/components/ui/sentences";
import { LineInput } from "@/components/forms/text-input";
import { useFieldError } from "@/components/forms/use-field-error";
import { Hint } from "@/components/ui/hint";
import { Button } from "@/components/ui/button";
import { unusualIn } from "@/lib/platform/http/model/hidden-characters";
import { placeholdersIn } from "@/lib/platform/secrets/model/stand-in";
import { addressPlaceholders } from "@/lib/webhooks/model/rules/callback-url";
import { TriangleAlert } from "lucide-react";
import { type Messages, useFormatter, useTranslations } from "next-intl";
import { useEffect, useRef, type ComponentProps } from "react";
import { get } from "react-hook-form";
import type { WebhookForm } from "./use-webhook-sheet";

type SheetFieldProps = {
  form: WebhookForm;
  name: "url" | "authorization.value";
  value: string;
  check:
    | {
        ok: true;
        warnings: readonly (keyof Messages["webhooks"]["sheet"]["warnings"])[];
        suggestion?: string;
      }
    /** `suggestion`: the value that the person probably meant. */
    | { ok: false; code: string; suggestion?: string };
  limit: number;
  readOnly: boolean;
  input?: ComponentProps<typeof LineInput> & { [data: `data-${string}`]: string };
  /** Shown beside the input. */
  children?: Elements;
};

/** A field for a value that people compare character by character, with its error and its warnings. */
export function SheetField(props: SheetFieldProps) {
  const { form, name, value, check, limit, readOnly, input, children } = props;
  const t = useTranslations("webhooks.sheet");
  const format = useFormatter();
  const words = name === "url" ? "url" : "value";
  const errorOf = useFieldError(`webhooks.fieldErrors.${words}`);
  const afterPress = useAfterPress();
  const field = form.register(name);
  const unusual = unusualIn(value);
  const placeholders = (name === "url" ? addressPlaceholders : placeholdersIn)(value);
  const isPlaceholder = check.ok
    ? check.warnings.includes("placeholder")
    : check.code === "placeholder";
  const found = [
    ...unusual.map((each) => t(`hidden.${each}`)),
    ...(isPlaceholder ? placeholders.map((text) => t("hidden.placeholder", { text })) : []),
  ];
  // The field shows no error while the person first types in it. But characters that are hard to see or to type were
  // pasted, so the field reports them at once.
  const pastedCode = !check.ok && unusual.length > 0 ? check.code : undefined;
  const { message } = (get(form.formState.errors, name) ?? {}) as { message?: string };
  const error = message ?? pastedCode;
  const suggestion = error || check.ok ? check.suggestion : undefined;

  function applySuggestion(meant: string) {
    form.setValue(name, meant, { shouldDirty: true, shouldValidate: true });
    form.setFocus(name);
  }

  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t(words)}
        counter={{ count: value.length, limit }}
        error={errorOf(error)}
        hint={error ? undefined : t(`${words}Hint`)}
      >
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <LineInput
              {...control}
              {...field}
              {...input}
              // The sheet opens with the focus here, so leaving the empty field is no mistake yet.
              onBlur={(event) =>
                (name !== "url" || value !== "") && afterPress(() => void field.onBlur(event))
              }
              readOnly={readOnly}
              className="flex-1 basis-48"
            />
            {children}
          </div>
        )}
      </Field>
      {/* Always there, so that screen readers announce the result of a paste. */}
      <p aria-live="polite" className="text-small text-ink-2 empty:hidden">
        {found.length > 0
          ? t(suggestion ? "hiddenLeftOut" : "hiddenFound", { list: format.list(found) })
          : ""}
      </p>
      {check.ok
        ? check.warnings.map((warning) => (
            <Hint key={warning} tone="warn" icon={TriangleAlert}>
              {t(`warnings.${warning}`)}
            </Hint>
          ))
        : null}
      {suggestion ? (
        <Button
          size="sm"
          translate="no"
          className="max-w-full shrink self-start text-left font-mono break-all"
          onClick={() => applySuggestion(suggestion)}
        >
          {t("useSuggestion", { suggestion })}
        </Button>
      ) : null}
    </div>
  );
}

/**
 * Delays work until the pointer is released. Otherwise an error that appears on blur would move the pressed button from
 * under the pointer, and the click would be lost.
 */
function useAfterPress(): (work: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    const down = () => {
      pressed.current = true;
    };
    const up = () => {
      pressed.current = false;
      // The click event follows the pointerup.
      const work = waiting.current.splice(0);
      setTimeout(() => work.forEach((each) => each()));
    };
    const options = { capture: true };
    window.addEventListener("pointerdown", down, options);
    window.addEventListener("pointerup", up, options);
    window.addEventListener("pointercancel", up, options);
    return () => {
      window.removeEventListener("pointerdown", down, options);
      window.removeEventListener("pointerup", up, options);
      window.removeEventListener("pointercancel", up, options);
    };
  }, []);

  return (work) => {
    if (pressed.current) waiting.current.push(work);
    else work();
  };
}
