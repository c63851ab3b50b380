"use client";

import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { RetryAfter } from "./retry-after";

type FailureTextProps = {
  failure: Failure;
  /** What is to be said where no answer of Gancho's came. */
  unreachable: string;
};

type FailureNoticeProps = Omit<FailureTextProps, "failure"> &
  Pick<ComponentProps<typeof Notice>, "className"> & {
    /** Nothing is drawn without one. */
    failure: Failure | null;
    title?: string;
    /** What can be done about it here. */
    actions?: ReactNode;
  };

/** Tells a person what went wrong: the one way for whatever a request brought. */
export function FailureNotice({ failure, unreachable, ...notice }: FailureNoticeProps) {
  if (!failure) return null;
  return (
    <Notice {...notice} tone={failure.kind === "no_answer" ? "warn" : "bad"} role="alert">
      <FailureText failure={failure} unreachable={unreachable} />
    </Notice>
  );
}

/** What happened, whether anything was changed, what to do next, and what to quote. */
export function FailureText({ failure, unreachable }: FailureTextProps) {
  const t = useTranslations("problems");
  if (failure.kind === "no_answer") return <p>{unreachable}</p>;
  const { code, applied, retryAfter, requestId } = failure.problem;
  return (
    <div className="flex flex-col gap-1">
      <p>{t(`${code}.title`)}</p>
      {applied ? <p>{t(`applied.${applied}`)}</p> : null}
      <p>{t(`${code}.next`)}</p>
      <RetryAfter seconds={retryAfter} />
      <p className="text-small text-ink-2">{t("requestId", { requestId })}</p>
    </div>
  );
}
