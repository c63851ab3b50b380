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
import { formLevelFailure, errorsIn } from "./use-field-error";

type ApiForm<Values extends FieldValues, Request, Answer extends object> = {
  /** The route's own schema: the form is valid if the request is. */
  schema: z.ZodMiniType<Request, Values>;
  /** The initial value of every field. */
  values: Values;
  /** Turns a field's error code into words; from `useFieldError`. */
  errorOf?: (code: string | undefined) => string | undefined;
  /** When a field is first validated: on submit, or on blur. */
  mode?: "onSubmit" | "onTouched";
  /** From `useApiMutation`. */
  mutation: {
    pending: boolean;
    failure: RequestFailure | null;
    send: (request: Request) => Promise<Answer | null>;
  };
  /** Called on success. */
  onDone?: (result: ResultOf<Answer>) => void;
  /** Called with any answer that refuses no field, for requests with outcomes other than done and failed. */
  onAnswer?: (answer: Answer, request: Request) => void;
};

type ResultOf<Answer> =
  Extract<Answer, { kind: "done" }> extends { result: infer Result } ? Result : never;

/**
 * A form that sends a request to an API route. The first invalid field takes the focus, in the order of registration,
 * whether the browser or the server refuses it.
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
      // An error of an unknown path shows in the failure, if the answer has one; otherwise at the first field.
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
    /** Sends a request that the form produced earlier, once the person has confirmed it. */
    send,
    pending: mutation.pending,
    /** The failure, unless the fields show all of it. */
    failure: formLevelFailure(mutation.failure, names),
    /** The props of a field's control, and its error in words. */
    field: <Name extends Path<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => ({
      ...register(name, options),
      error: errorOf?.((get(errors, name) as { message?: string } | undefined)?.message),
    }),
  };
}

function isDone<Result>(answer: object): answer is { kind: "done"; result: Result } {
  return "kind" in answer && answer.kind === "done";
}
