"use client";

import type { ClientProblem, RequestFailure } from "@/lib/platform/http/client/fetch-json";
import type { NamespaceWith } from "@/lib/platform/i18n/model/messages";
import { useTranslations } from "next-intl";

/**
 * Turns a field's error code into words; undefined if there is none. `words` has a text for each code, and `other` for
 * unknown ones. `limits` are values that the messages use.
 */
export function useFieldError(
  words: NamespaceWith<"other">,
  limits: Record<string, number> = {},
): (code: string | null | undefined) => string | undefined {
  // Each feature has its own codes; `other` quotes a code that has no message.
  const t = useTranslations(words as "team.fieldErrors");
  return (code) => {
    if (!code) return undefined;
    return t.has(code as "required") ? t(code as "required", limits) : t("other", { code });
  };
}

/** The error code with which the server refused a field; null if it did not. */
export function refusedAt(answer: object | null, path: string): string | null {
  return errorsIn(answer).find((error) => error.path === path)?.code ?? null;
}

type FieldErrors = readonly { path: string; code: string }[];

/** The field errors of an answer: of a failure, of an answer that contains one, or of a bare list of errors. */
export function errorsIn(answer: object | null): FieldErrors {
  if (answer === null) return [];
  if ("errors" in answer) return answer.errors as FieldErrors;
  if ("failure" in answer) return errorsIn(answer.failure as RequestFailure);
  const isProblem = "kind" in answer && answer.kind === "problem" && "problem" in answer;
  return isProblem ? ((answer.problem as ClientProblem).errors ?? []) : [];
}

/** The failure, or null if these fields show all of its errors. */
export function formLevelFailure(failure: RequestFailure | null, fields: readonly string[]) {
  const errors = errorsIn(failure);
  return errors.length > 0 && errors.every(({ path }) => fields.includes(path)) ? null : failure;
}
