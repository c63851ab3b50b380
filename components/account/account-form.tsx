"use client";

import { SecretForm } from "@/components/forms/secret-form";
import { useAccountChange, type AccountChange } from "@/lib/account/client/use-account-change";
import type { ComponentProps } from "react";
import type * as z from "zod/mini";

type AccountFormProps<Field extends string, Answer> = Pick<
  ComponentProps<typeof SecretForm<Field>>,
  "fields" | "submit" | "onSubmit" | "onCancel" | "className" | "children"
> & {
  request: Omit<AccountChange, "body">;
  answer: z.ZodMiniType<Answer>;
  onDone: (answer: Answer) => void;
};

/** A form for an account change that requires a password, a code or both. */
export function AccountForm<Field extends string, Answer>(props: AccountFormProps<Field, Answer>) {
  const { request, answer, onDone, ...form } = props;
  const change = useAccountChange(answer);

  async function send(body: Record<Field, string>, element: HTMLFormElement) {
    const done = await change.send({ ...request, body });
    if (done?.kind !== "done") return;
    element.reset();
    onDone(done.result);
  }

  return (
    <SecretForm
      {...form}
      mutation={change}
      onSend={(typed, element) => void send(typed, element)}
    />
  );
}
