"use client";

import { ButtonLink } from "@/components/ui/button-link";
import type { Elements } from "@/components/ui/sentences";
import { Notice } from "@/components/ui/notice";
import type { ClientProblem, RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { useTranslations } from "next-intl";
import { usePathname, useSearchParams } from "next/navigation";
import type { ComponentProps, ReactNode } from "react";

type FailureTextProps = {
  failure: RequestFailure;
  /** The message if Gancho did not answer a request that was sent; by default, that the change may have been made. */
  unreachable?: string;
};

type FailureNoticeProps = Omit<FailureTextProps, "failure"> &
  Pick<ComponentProps<typeof Notice>, "className"> & {
    /** Renders nothing if null. */
    failure: RequestFailure | null;
    title?: string;
    /** Buttons for what the person can do about it. */
    actions?: ReactNode;
  };

/** Shows what went wrong. The one component for every kind of failed request. */
export function FailureNotice({ failure, unreachable, ...notice }: FailureNoticeProps) {
  if (!failure) return null;
  const isSignedOut = failure.kind === "problem" && failure.problem.code === "signed_out";
  return (
    <Notice
      actions={isSignedOut ? <SignInAgain /> : null}
      {...notice}
      tone={failure.kind === "no_answer" ? "warn" : "bad"}
      role="alert"
    >
      <FailureText failure={failure} {...(unreachable && { unreachable })} />
    </Notice>
  );
}

export function FailureText({ failure, unreachable }: FailureTextProps) {
  const t = useTranslations("problems");
  if (failure.kind === "no_answer")
    return <p>{failure.unsent ? t("unsent") : (unreachable ?? t("unreachable"))}</p>;
  return <ProblemText problem={failure.problem} />;
}

type ProblemTextProps = {
  /** The code is enough; the text uses whatever other members are there. */
  problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
  /** Set to false if the text above already gives the title. */
  withTitle?: boolean;
  /** What to do next, if the caller knows better than the catalogue. */
  next?: string;
  /** Replaces both the title and what to do next. */
  instead?: Elements;
  /** Further text, above the request ID. */
  children?: Elements;
};

/** What happened, whether anything was changed, what to do next, and the request ID to quote. */
export function ProblemText({
  problem,
  withTitle = true,
  next,
  instead,
  children,
}: ProblemTextProps) {
  const t = useTranslations("problems");
  // Only some problems have these: the fault behind a save's outcome, and the IP address that the service has to allow.
  const members = problem.members ?? problem;
  const cause = textMember(members, "cause");
  const publicAddress = textMember(members, "publicAddress");
  const reason = isProblemCode(cause) ? cause : problem.code;
  // The detail of an unreadable request is for developers.
  const detail = problem.code === "malformed_request" ? undefined : problem.detail;
  return (
    <div className="flex flex-col gap-1">
      {instead ?? (withTitle || reason !== problem.code ? <p>{t(`${reason}.title`)}</p> : null)}
      {detail ? <p>{t("serviceSaid", { text: detail })}</p> : null}
      {problem.applied ? <p>{t(`applied.${problem.applied}`)}</p> : null}
      {instead ? null : <p>{next ?? t(`${reason}.next`)}</p>}
      {publicAddress ? <p>{t("publicAddress", { address: publicAddress })}</p> : null}
      {children}
      <RetryAfter seconds={problem.retryAfter} />
      {problem.requestId ? (
        <p className="text-small text-ink-2">{t("requestId", { requestId: problem.requestId })}</p>
      ) : null}
    </div>
  );
}

function textMember(carrier: unknown, name: string): string | null {
  if (typeof carrier !== "object" || carrier === null) return null;
  const member: unknown = Reflect.get(carrier, name);
  return typeof member === "string" ? member : null;
}

/** A link to sign in again after the session ended, and return to this page. */
export function SignInAgain() {
  const t = useTranslations("problems");
  const here = [usePathname(), useSearchParams().toString()].filter(Boolean).join("?");
  return (
    <ButtonLink href={`/sign-in?callbackUrl=${encodeURIComponent(here)}`}>
      {t("signInAgain")}
    </ButtonLink>
  );
}

/** Longer waits than these are shown in minutes and in hours; both in seconds. */
const countedInMinutes = 120;
const countedInHours = 2 * 60 * 60;

/** When it is worth trying again; nothing if that is unknown. */
function RetryAfter({ seconds }: { seconds: number | undefined }) {
  const t = useTranslations("problems");
  if (!seconds) return null;
  if (seconds < countedInMinutes) return <p>{t("retryAfter", { seconds })}</p>;
  return (
    <p>
      {seconds < countedInHours
        ? t("retryAfterMinutes", { minutes: Math.ceil(seconds / 60) })
        : t("retryAfterHours", { hours: Math.ceil(seconds / 3_600) })}
    </p>
  );
}
