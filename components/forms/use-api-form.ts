"use client";

import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { zodResolver } from "@hookform/resolvers/zod";
import type { SubmitEvent } from "react";
import {
  get,
  useForm,
  type DefaultValues,
  type FieldValues,
  type Path,
  type RegisterOptions,
} from "react-hook-form";
import type * as z from "zod/mini";
import { beyondFields, errorsIn } from "./use-field-error";

type ApiForm<Values extends FieldValues, Request, Answer extends object> = {
  /** The server's own schema of the request: the form is valid when the request is. */
  schema: z.ZodMiniType<Request, Values>;
  /** All of its fields. */
  values: Values;
  /** Words for why a field was refused, as `useFieldError` gives them. */
  errorOf?: (code: string | undefined) => string | undefined;
  /** When a field is first checked: on submit, or already on blur. */
  mode?: "onSubmit" | "onTouched";
  /** As `useApiMutation` gives it. */
  mutation: {
    pending: boolean;
    failure: RequestFailure | null;
    send: (request: Request) => Promise<Answer | null>;
  };
  /** For a successful answer. */
  onDone?: (result: ResultOf<Answer>) => void;
  /** For where an answer can be more than done or failed; not for one that refuses fields. */
  onAnswer?: (answer: Answer, request: Request) => void;
};

type ResultOf<Answer> =
  Extract<Answer, { kind: "done" }> extends { result: infer Result } ? Result : never;

/**
 * The one way to fill a request in and send it. The first wrong field takes the focus, in the order in which they are
 * registered, whether the browser or the server refuses it.
 */
export function useApiForm<Values extends FieldValues, Request, Answer extends object>(
  form: ApiForm<Values, Request, Answer>,
) {
  const { schema, values, errorOf, mode = "onSubmit", mutation, onDone, onAnswer } = form;
  const { register, control, setValue, setError, reset, resetField, handleSubmit, formState } =
    useForm<Values, unknown, Request>({
      defaultValues: values as DefaultValues<Values>,
      resolver: zodResolver<Values, unknown, Request>(schema),
      mode,
    });
  const { errors } = formState;
  const names = Object.keys(values);

  async function send(request: Request) {
    const answer = await mutation.send(request);
    if (!answer) return;
    const refused = errorsIn(answer);
    refused.forEach(({ path, code }, index) => {
      // Errors of paths that are no field here are part of the failure, where the answer has one.
      const field = names.includes(path) || "failure" in answer ? path : names[0];
      setError(field as Path<Values>, { message: code }, { shouldFocus: index === 0 });
    });
    if (refused.length > 0) return;
    onAnswer?.(answer, request);
    if (isDone<ResultOf<Answer>>(answer)) onDone?.(answer.result);
  }
  const submit = handleSubmit(send);

  return {
    register,
    control,
    setValue,
    /** Replaces the typed values. */
    reset: (next: Values) => reset(next),
    resetField,
    submit(event: SubmitEvent) {
      event.preventDefault();
      if (!mutation.pending) void submit(event);
    },
    /** Sends what the form produced before, now that the person has confirmed it. */
    send,
    pending: mutation.pending,
    /** What went wrong and no field says. */
    failure: beyondFields(mutation.failure, names),
    /** What a field's control takes, and why it was refused. */
    field: <Name extends Path<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => ({
      ...register(name, options),
      error: errorOf?.((get(errors, name) as { message?: string } | undefined)?.message),
    }),
  };
}

function isDone<Result>(answer: object): answer is { kind: "done"; result: Result } {
  return "kind" in answer && answer.kind === "done";
}
