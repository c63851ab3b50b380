"use client";

import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { Sent } from "@/lib/platform/http/client/send-json";
import { zodResolver } from "@hookform/resolvers/zod";
import type { SubmitEvent } from "react";
import { get, useForm, type DefaultValues, type FieldValues, type Path } from "react-hook-form";
import type * as z from "zod/mini";
import { beyondFields, errorsIn } from "./use-field-error";

type ApiForm<Values extends FieldValues, Request, Result> = {
  /** Of the request, the server's own: the form is valid where what it would send is. */
  schema: z.ZodMiniType<Request, Values>;
  /** All of its fields. */
  values: Values;
  /** As `useApiMutation` gives it. */
  mutation: {
    pending: boolean;
    failure: Failure | null;
    send: (request: Request) => Promise<Sent<Result> | null>;
  };
  onDone: (result: Result) => void;
};

/**
 * The one way to fill a request in and send it. The first field that is wrong takes the focus, in the order in which
 * they are registered, whether the browser or the server says so.
 */
export function useApiForm<Values extends FieldValues, Request, Result>({
  schema,
  values,
  mutation,
  onDone,
}: ApiForm<Values, Request, Result>) {
  const { register, control, setValue, setError, handleSubmit, formState } = useForm<
    Values,
    unknown,
    Request
  >({
    defaultValues: values as DefaultValues<Values>,
    resolver: zodResolver<Values, unknown, Request>(schema),
  });
  const { errors } = formState;

  const send = handleSubmit(async (request) => {
    const answer = await mutation.send(request);
    if (answer?.kind === "done") onDone(answer.result);
    else
      errorsIn(answer?.failure ?? null).forEach(({ path, code }, index) =>
        setError(path as Path<Values>, { message: code }, { shouldFocus: index === 0 }),
      );
  });

  return {
    register,
    control,
    setValue,
    submit(event: SubmitEvent) {
      event.preventDefault();
      if (!mutation.pending) void send(event);
    },
    pending: mutation.pending,
    /** What went wrong and is not said at a field. */
    failure: beyondFields(mutation.failure, Object.keys(values)),
    /** Why a field was refused. */
    codeOf: (field: Path<Values>) =>
      (get(errors, field) as { message?: string } | undefined)?.message,
  };
}
