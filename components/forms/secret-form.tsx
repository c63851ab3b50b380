"use client";

import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";
import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type SubmitEvent,
} from "react";
import { FailureNotice } from "./failure-notice";
import { beyondFields, refusedAt } from "./use-field-error";

type SecretFormProps<Field extends string> = Pick<ComponentProps<"form">, "onFocus"> & {
  /** The names of its fields, in the order on screen; none may be empty. */
  fields: readonly Field[];
  submit: Pick<ComponentProps<typeof Button>, "variant" | "size" | "className" | "icon"> & {
    label: string;
  };
  /** As `useApiMutation` gives it. */
  mutation: { pending: boolean; failure?: RequestFailure | null; reset?: () => void };
  /** The words around a failure, which the form then shows. */
  failed?: Omit<ComponentProps<typeof FailureNotice>, "failure">;
  /** The outcome of the last attempt, where a refusal is no failure of the request. */
  refused?: object | null;
  /** Why the server refused a field, where the failure does not say it. */
  refusedAt?: (field: Field) => string | null;
  /** The field to type again after a failure that belongs to no single field. */
  retype?: Field;
  /** On every press. */
  onSubmit?: (() => void) | undefined;
  /** With the typed values, once nothing is missing. */
  onSend: (typed: Record<Field, string>, form: HTMLFormElement) => void;
  /** For a form that opened on a press: closes it again. */
  onCancel?: (() => void) | undefined;
  /** It takes the focus as it appears; so does every form that can be closed. */
  opened?: boolean;
  /** Where the buttons are not just "submit" and "cancel": all of them, given the one that submits. */
  actions?: (submit: ReactNode) => ReactNode;
  className?: string | undefined;
  /** The content above the button; `codeOf` says why a field was refused, or null. */
  children: (codeOf: (field: Field) => string | null) => ReactNode;
};

/**
 * A form for passwords and codes, and for pages that people use before React listens. The values stay in uncontrolled
 * fields and are sent from there: no state of the page ever holds a password, and what a password manager or a quick
 * person put in early counts. `method="post"`, so that even then a password never ends up in the address.
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
    // The person types the refused value again, and hears the message beside it.
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
      <FailureNotice failure={beyondFields(failure, fields)} {...failed} />
      {props.children(codeOf)}
      {props.actions?.(submitButton) ?? (
        <div className="flex flex-wrap gap-2">
          {submitButton}
          {onCancel ? <Button onClick={onCancel}>{t("cancel")}</Button> : null}
        </div>
      )}
    </form>
  );
}

function inputOf(form: HTMLFormElement | null, field: string) {
  return form?.querySelector<HTMLInputElement>(`input[name="${field}"]`) ?? null;
}
