"use client";

import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import type * as z from "zod/mini";
import { AccountFailure } from "./account-failure";
import { fieldCode, useAccountChange, type Change } from "./use-account-change";

type AccountFormProps<Field extends string, Answer> = {
  request: Omit<Change, "body">;
  answer: z.ZodMiniType<Answer>;
  /** The names of its fields, in the order in which they stand; none may be empty. */
  fields: readonly Field[];
  submit: { label: string; variant: "primary" | "danger" };
  onSubmit?: () => void;
  onDone: (answer: Answer) => void;
  /** Of a form that was opened by a press: it takes the focus, and can be left again. */
  onCancel?: () => void;
  className?: string;
  /** What stands above the button; `codeOf` is why a field was refused, or null. */
  children: (codeOf: (field: Field) => string | null) => ReactNode;
};

/**
 * One change of the account that takes a password, a code or both. They stay in their fields, uncontrolled, and are sent
 * as they stand there: no state of the page ever holds them.
 */
export function AccountForm<Field extends string, Answer>(props: AccountFormProps<Field, Answer>) {
  const { request, answer, fields, submit, onSubmit, onDone, onCancel, className, children } =
    props;
  const t = useTranslations("common");
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<readonly Field[]>([]);
  const { pending, failure, change } = useAccountChange(answer);
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

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const element = event.currentTarget;
    const typed = new FormData(element);
    const empty = fields.filter((field) => !typed.get(field));
    onSubmit?.();
    setMissing(empty);
    if (empty[0] !== undefined) {
      element.querySelector<HTMLInputElement>(`input[name="${empty[0]}"]`)?.focus();
      return;
    }
    const body = Object.fromEntries(fields.map((field) => [field, typed.get(field)]));
    const done = await change({ ...request, body });
    if (done === null) return;
    element.reset();
    onDone(done);
  }

  const codeOf = (field: Field) =>
    missing.includes(field) ? "required" : fieldCode(failure, field);
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => void send(event)}
      className={cn("flex flex-col gap-4", className)}
    >
      <AccountFailure failure={failure} />
      {children(codeOf)}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={submit.variant} pending={pending}>
          {submit.label}
        </Button>
        {onCancel ? <Button onClick={onCancel}>{t("cancel")}</Button> : null}
      </div>
    </form>
  );
}
