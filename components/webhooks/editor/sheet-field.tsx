"use client";

import { Field } from "@/components/forms/field";
import { LineInput } from "@/components/forms/text-input";
import { useFieldError } from "@/components/forms/use-field-error";
import { Hint } from "@/components/ui/hint";
import { Button } from "@/components/ui/button";
import { hiddenIn } from "@/lib/webhooks/model/rules/hidden-characters";
import { TriangleAlert } from "lucide-react";
import { type Messages, useFormatter, useTranslations } from "next-intl";
import { useEffect, useRef, type ComponentProps, type ReactNode } from "react";
import { get } from "react-hook-form";
import type { WebhookForm } from "./use-webhook-sheet";

type SheetFieldProps = {
  form: WebhookForm;
  name: "url" | "authorization.value";
  value: string;
  check:
    | { ok: true; warnings: readonly (keyof Messages["webhooks"]["sheet"]["warnings"])[] }
    /** `suggestion`: what the person probably meant. */
    | { ok: false; code: string; suggestion?: string };
  limit: number;
  readOnly: boolean;
  input?: ComponentProps<typeof LineInput> & { [data: `data-${string}`]: string };
  /** Beside it. */
  children?: ReactNode;
};

/** A line of the sheet that people compare character by character, with what is wrong with it and what may be. */
export function SheetField(props: SheetFieldProps) {
  const { form, name, value, check, limit, readOnly, input, children } = props;
  const t = useTranslations("webhooks.sheet");
  const format = useFormatter();
  const words = name === "url" ? "url" : "value";
  const errorOf = useFieldError(`webhooks.fieldErrors.${words}`);
  const afterPress = useAfterPress();
  const field = form.register(name);
  // No error shows while somebody types for the first time, but characters that cannot be seen or typed came by a
  // paste, and the field reports them at once.
  const pasted = ["invisible_character", "line_break"];
  const hiddenCode = check.ok ? undefined : pasted.find((code) => code === check.code);
  const { message } = (get(form.formState.errors, name) ?? {}) as { message?: string };
  const error = message ?? hiddenCode;
  const suggestion = error && !check.ok ? check.suggestion : undefined;
  const hidden = hiddenIn(value);
  const list = format.list(hidden.map((each) => t(`hidden.${each}`)));

  function take(meant: string) {
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
              // The focus began at the address: a person who leaves it empty to do something else first has made no
              // mistake.
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
      {/* Always there, so that assistive technology reads out the result of a paste. */}
      <p aria-live="polite" className="text-small text-ink-2 empty:hidden">
        {hidden.length > 0 ? t(suggestion ? "hiddenLeftOut" : "hiddenFound", { list }) : ""}
      </p>
      {suggestion ? (
        <Button
          size="sm"
          className="max-w-full shrink self-start text-left font-mono break-all"
          onClick={() => take(suggestion)}
        >
          {t("useSuggestion", { suggestion })}
        </Button>
      ) : null}
      {check.ok
        ? check.warnings.map((warning) => (
            <Hint key={warning} tone="warn" icon={TriangleAlert}>
              {t(`warnings.${warning}`)}
            </Hint>
          ))
        : null}
    </div>
  );
}

/**
 * Delays what would move the page until the pointer is released. An error that appears on blur would otherwise push the
 * pressed element from under the pointer, and the click would hit nothing.
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
      // The click itself comes after the release.
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
