"use client";

import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useTranslations } from "next-intl";
import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type SubmitEvent,
} from "react";

type SecretFormProps<Field extends string> = Pick<ComponentProps<"form">, "onFocus"> & {
  /** The names of its fields, in the order on screen; none may be empty. */
  fields: readonly Field[];
  submit: Pick<ComponentProps<typeof Button>, "variant" | "size" | "className" | "icon"> & {
    label: string;
  };
  pending: boolean;
  /** Why the server refused a field; null where it did not. */
  refusedAt?: (field: Field) => string | null;
  /** The failure of the last attempt: with each new one, the refused field takes the focus. */
  failure: object | null;
  /** The field to type again after a failure that belongs to no single field. */
  retype?: Field;
  /** The typed values; null where something is missing. */
  onSubmit: (typed: Record<Field, string> | null, form: HTMLFormElement) => void;
  /** For a form that opened on a press: closes it again. */
  onCancel?: (() => void) | undefined;
  /** It takes the focus as it appears; so does every form that can be closed. */
  opened?: boolean;
  /** Where the buttons are not just "submit" and "cancel": all of them, given the one that submits. */
  actions?: (submit: ReactNode) => ReactNode;
  className?: string | undefined;
  /** The content above the button; `codeOf` says why the server refused a field, or null. */
  children: (codeOf: (field: Field) => string | null) => ReactNode;
};

/**
 * A form for passwords and codes, and for pages that people use before React listens. The values stay in uncontrolled
 * fields and are sent from there: no state of the page ever holds a password, and what a password manager or a quick
 * person put in early counts. `method="post"`, so that even then a password never ends up in the address.
 */
export function SecretForm<Field extends string>(props: SecretFormProps<Field>) {
  const { fields, submit, pending, refusedAt, failure, retype, onSubmit, onCancel } = props;
  const t = useTranslations("common");
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<readonly Field[]>([]);
  const isOpened = props.opened ?? onCancel !== undefined;
  useEffect(() => {
    if (isOpened) form.current?.querySelector<HTMLElement>("[tabindex='-1'], input")?.focus();
  }, [isOpened]);
  useEffect(() => {
    if (!failure) return;
    // The person types the refused value again, and hears the message beside it.
    const refused =
      form.current?.querySelector<HTMLInputElement>("[aria-invalid]") ??
      (retype && inputOf(form.current, retype));
    refused?.focus();
    refused?.select();
  }, [failure, retype]);

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const typed = Object.fromEntries(
      fields.map((field) => [field, String(data.get(field) ?? "")]),
    ) as Record<Field, string>;
    const empty = fields.filter((field) => typed[field].trim() === "");
    setMissing(empty);
    if (empty[0] !== undefined) inputOf(form, empty[0])?.focus();
    onSubmit(empty.length > 0 ? null : typed, form);
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
      {props.children((field) =>
        missing.includes(field) ? "required" : (refusedAt?.(field) ?? null),
      )}
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
