"use client";

import { Button } from "@/components/ui/button";
import type { Elements } from "@/components/ui/sentences";
import { cn } from "@/components/ui/cn";
import { yieldsFocus } from "@/components/ui/focus-content";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";
import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactElement,
  type SubmitEvent,
} from "react";
import { FailureNotice } from "./failure-notice";
import { formLevelFailure, refusedAt } from "./use-field-error";

type SecretFormProps<Field extends string> = Pick<ComponentProps<"form">, "onFocus"> & {
  /** The names of the fields, all required, in screen order. */
  fields: readonly Field[];
  submit: Pick<ComponentProps<typeof Button>, "variant" | "size" | "className"> & {
    label: string;
  };
  /** From `useApiMutation`. */
  mutation: { pending: boolean; failure?: RequestFailure | null; reset?: () => void };
  /** Title and texts for the form's failure notice. */
  failed?: Omit<ComponentProps<typeof FailureNotice>, "failure">;
  /** The last attempt's refusal, if a refusal is not a failed request. */
  refused?: object | null;
  /** The error code of a refused field, if it is not part of the failure. */
  refusedAt?: (field: Field) => string | null;
  /** The field to type again after a failure that belongs to no single field. */
  retype?: Field;
  /** Called on every attempt, even with empty fields. */
  onSubmit?: (() => void) | undefined;
  /** Called with the typed values once no field is empty. */
  onSend: (typed: Record<Field, string>, form: HTMLFormElement) => void;
  /** Closes a form that a button opened. */
  onCancel?: (() => void) | undefined;
  /** The form takes the focus when it appears; by default, a form with `onCancel` does. */
  opened?: boolean;
  /** Replaces the default buttons; receives the submit button. */
  actions?: (submit: ReactElement) => ReactElement;
  className?: string | undefined;
  /** The content above the buttons. `codeOf` gives the error code of a field, or null. */
  children: (codeOf: (field: Field) => string | null) => Elements;
};

/**
 * A form for passwords and codes, and for pages that people use before hydration. Its fields are uncontrolled: no React
 * state ever holds a password, and input from before hydration counts. With `method="post"`, a form that a browser
 * sends without a script puts no password in the URL.
 */
export function SecretForm<Field extends string>(props: SecretFormProps<Field>) {
  const { fields, submit, mutation, failed, retype, onCancel } = props;
  const { pending, failure = null, reset } = mutation;
  const refused = props.refused ?? failure;
  const t = useTranslations("common");
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<readonly Field[]>([]);
  const isOpened = props.opened ?? onCancel !== undefined;
  useEffect(() => {
    if (isOpened) form.current?.querySelector<HTMLElement>("[tabindex='-1'], input")?.focus();
  }, [isOpened]);
  useEffect(() => {
    if (!refused) return;
    // Focuses the refused field, so that the person retypes it and a screen reader reads its message.
    const input =
      form.current?.querySelector<HTMLInputElement>("[aria-invalid]") ??
      (retype && inputOf(form.current, retype));
    input?.focus();
    input?.select();
  }, [refused, retype]);

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const typed = Object.fromEntries(
      fields.map((field) => [field, String(data.get(field) ?? "")]),
    ) as Record<Field, string>;
    const [first, ...others] = fields.filter((field) => typed[field].trim() === "");
    setMissing(first === undefined ? [] : [first, ...others]);
    props.onSubmit?.();
    if (first === undefined) return props.onSend(typed, form);
    reset?.();
    inputOf(form, first)?.focus();
  }

  function codeOf(field: Field) {
    if (missing.includes(field)) return "required";
    return props.refusedAt ? props.refusedAt(field) : refusedAt(failure, field);
  }

  const { label, ...button } = submit;
  const submitButton = (
    <Button type="submit" variant="primary" {...button} pending={pending}>
      {label}
    </Button>
  );
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onFocus={props.onFocus}
      onSubmit={send}
      className={cn("flex flex-col gap-4", props.className)}
    >
      <FailureNotice failure={formLevelFailure(failure, fields)} {...failed} />
      {props.children(codeOf)}
      {props.actions?.(submitButton) ?? (
        <div className="flex flex-wrap gap-2">
          {submitButton}
          {onCancel ? (
            <Button ref={yieldsFocus} onClick={onCancel}>
              {t("cancel")}
            </Button>
          ) : null}
        </div>
      )}
    </form>
  );
}

function inputOf(form: HTMLFormElement | null, field: string) {
  return form?.querySelector<HTMLInputElement>(`input[name="${field}"]`) ?? null;
}
