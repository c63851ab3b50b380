"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { SecretForm } from "@/components/forms/secret-form";
import { beyondFields, refusedAt } from "@/components/forms/use-field-error";
import { useAccountChange, type AccountChange } from "@/lib/account/client/use-account-change";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import type * as z from "zod/mini";

type AccountFormProps<Field extends string, Answer> = Pick<
  ComponentProps<typeof SecretForm<Field>>,
  "fields" | "submit" | "onCancel" | "className" | "children"
> & {
  request: Omit<AccountChange, "body">;
  answer: z.ZodMiniType<Answer>;
  onSubmit?: () => void;
  onDone: (answer: Answer) => void;
};

/** A change of the account that takes a password, a code or both. */
export function AccountForm<Field extends string, Answer>(props: AccountFormProps<Field, Answer>) {
  const { request, answer, onSubmit, onDone, children, ...form } = props;
  const t = useTranslations("account");
  const { pending, failure, send } = useAccountChange(answer);

  async function change(body: Record<Field, string>, element: HTMLFormElement) {
    const done = await send({ ...request, body });
    if (done?.kind !== "done") return;
    element.reset();
    onDone(done.result);
  }

  return (
    <SecretForm
      {...form}
      pending={pending}
      failure={failure}
      refusedAt={(field) => refusedAt(failure, field)}
      onSubmit={(typed, element) => {
        onSubmit?.();
        if (typed) void change(typed, element);
      }}
    >
      {(codeOf) => (
        <>
          <FailureNotice
            failure={beyondFields(failure, form.fields)}
            unreachable={t("unreachable")}
          />
          {children(codeOf)}
        </>
      )}
    </SecretForm>
  );
}
