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

type SecretFormProps<Field extends string> = {
  /** The names of its fields, in the order in which they stand; none may be empty. */
  fields: readonly Field[];
  submit: Pick<ComponentProps<typeof Button>, "variant" | "size" | "className"> & { label: string };
  pending: boolean;
  /** Why the server refused a field; null where it did not. */
  refusedAt: (field: Field) => string | null;
  /** Of the last attempt: with every new one that there is, what was refused takes the focus. */
  failure: object | null;
  /** What was typed; null where something is missing. */
  onSubmit: (typed: Record<Field, string> | null, form: HTMLFormElement) => void;
  /** Of a form that was opened by a press: it takes the focus, and can be left again. */
  onCancel?: (() => void) | undefined;
  className?: string | undefined;
  /** What stands above the button; `codeOf` is why a field was refused, or null. */
  children: (codeOf: (field: Field) => string | null) => ReactNode;
};

/**
 * A form of passwords and codes. They stay in their fields, uncontrolled, and are sent as they stand there: no state of
 * the page ever holds them, and what a password manager put in before the page came alive counts. `method="post"`, so
 * that not even then one ends up in the address.
 */
export function SecretForm<Field extends string>(props: SecretFormProps<Field>) {
  const { fields, submit, pending, refusedAt, failure, onSubmit, onCancel, className } = props;
  const t = useTranslations("common");
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<readonly Field[]>([]);
  const isOpened = onCancel !== undefined;
  useEffect(() => {
    if (isOpened) form.current?.querySelector<HTMLElement>("[tabindex='-1'], input")?.focus();
  }, [isOpened]);
  useEffect(() => {
    if (!failure) return;
    // What was refused is typed again, and what is said beside it read out.
    const refused = form.current?.querySelector<HTMLInputElement>("[aria-invalid]");
    refused?.focus();
    refused?.select();
  }, [failure]);

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
    if (empty[0] !== undefined)
      form.querySelector<HTMLInputElement>(`input[name="${empty[0]}"]`)?.focus();
    onSubmit(empty.length > 0 ? null : typed, form);
  }

  const { label, ...button } = submit;
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={send}
      className={cn("flex flex-col gap-4", className)}
    >
      {props.children((field) => (missing.includes(field) ? "required" : refusedAt(field)))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" {...button} pending={pending}>
          {label}
        </Button>
        {onCancel ? <Button onClick={onCancel}>{t("cancel")}</Button> : null}
      </div>
    </form>
  );
}
