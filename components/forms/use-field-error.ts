"use client";

import type { ClientProblem, RequestFailure } from "@/lib/platform/http/client/fetch-json";
import type { Messages } from "@/lib/platform/i18n/model/messages";
import { useTranslations } from "next-intl";

/** A namespace with words for field codes, and with `other`, which quotes a code without words. */
type Words<Tree = Messages, Path extends string = ""> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? never
    : Tree[Key] extends { other: string }
      ? `${Path}${Key}`
      : Words<Tree[Key], `${Path}${Key}.`>;
}[keyof Tree & string];

/** Why a field was refused, in words; undefined where it was not. `limits` are the values that the words name. */
export function useFieldError(
  words: Words,
  limits: Record<string, number> = {},
): (code: string | null | undefined) => string | undefined {
  // The codes differ from feature to feature; one without words is quoted.
  const t = useTranslations(words as "team.fieldErrors");
  return (code) => {
    if (!code) return undefined;
    return t.has(code as "required") ? t(code as "required", limits) : t("other", { code });
  };
}

/** The code by which the server refused a field; null where it did not. */
export function refusedAt(answer: object | null, path: string): string | null {
  return errorsIn(answer).find((error) => error.path === path)?.code ?? null;
}

type FieldErrors = readonly { path: string; code: string }[];

/** The fields that an answer refuses: a failure, an answer that holds one, or one that has only the errors. */
export function errorsIn(answer: object | null): FieldErrors {
  if (answer === null) return [];
  if ("errors" in answer) return answer.errors as FieldErrors;
  if ("failure" in answer) return errorsIn(answer.failure as RequestFailure);
  const isProblem = "kind" in answer && answer.kind === "problem" && "problem" in answer;
  return isProblem ? ((answer.problem as ClientProblem).errors ?? []) : [];
}

/** What went wrong, unless these fields say all of it. */
export function beyondFields(failure: RequestFailure | null, fields: readonly string[]) {
  const errors = errorsIn(failure);
  return errors.length > 0 && errors.every(({ path }) => fields.includes(path)) ? null : failure;
}
