"use client";

import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";

/** Where each feature's words for field codes are; each has `other`, which quotes a code that has none. */
type Words =
  | "account.codes.errors"
  | "connection.fieldErrors"
  | "installation.fieldErrors"
  | "invitation.fieldErrors"
  | "partners.fieldErrors"
  | "password.errors"
  | "team.fieldErrors";

/** Why a field was refused, in words; undefined where it was not. */
export function useFieldError(
  words: Words,
): (code: string | null | undefined) => string | undefined {
  // The codes differ from feature to feature; what is not there is quoted.
  const t = useTranslations(words as "team.fieldErrors");
  return (code) => {
    if (!code) return undefined;
    return t.has(code as "required") ? t(code as "required") : t("other", { code });
  };
}

/** The code by which the server refused a field; null where it did not. */
export function refusedAt(failure: Failure | null, path: string): string | null {
  return errorsIn(failure).find((error) => error.path === path)?.code ?? null;
}

export function errorsIn(failure: Failure | null): readonly { path: string; code: string }[] {
  return failure?.kind === "problem" ? (failure.problem.errors ?? []) : [];
}

/** What went wrong, unless all of it is said at these fields. */
export function beyondFields(failure: Failure | null, fields: readonly string[]): Failure | null {
  const errors = errorsIn(failure);
  return errors.length > 0 && errors.every(({ path }) => fields.includes(path)) ? null : failure;
}
