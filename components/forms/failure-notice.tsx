"use client";

import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import type { ClientProblem, RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import type { ComponentProps, ReactNode } from "react";

type FailureTextProps = {
  failure: RequestFailure;
  /** The message where no answer of Gancho's came; left out: that the change may have been made. */
  unreachable?: string;
};

type FailureNoticeProps = Omit<FailureTextProps, "failure"> &
  Pick<ComponentProps<typeof Notice>, "className"> & {
    /** Draws nothing without one. */
    failure: RequestFailure | null;
    title?: string;
    /** What the person can do about it here. */
    actions?: ReactNode;
  };

/** Shows a person what went wrong: the one component for every kind of failed request. */
export function FailureNotice({ failure, unreachable, ...notice }: FailureNoticeProps) {
  if (!failure) return null;
  return (
    <Notice {...notice} tone={failure.kind === "no_answer" ? "warn" : "bad"} role="alert">
      <FailureText failure={failure} {...(unreachable && { unreachable })} />
    </Notice>
  );
}

export function FailureText({ failure, unreachable }: FailureTextProps) {
  const t = useTranslations("problems");
  if (failure.kind === "no_answer") return <p>{unreachable ?? t("unreachable")}</p>;
  return <ProblemText problem={failure.problem} />;
}

type ProblemTextProps = {
  /** Only the members that the text uses; a problem's code alone is enough. */
  problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
  /** Left out where the text above says it already. */
  withTitle?: boolean;
  /** What to do next, where the caller knows better than the catalogue. */
  next?: string;
  /** All of what happened and what to do, where the caller knows better. */
  instead?: ReactNode;
  /** More about it, before what to quote. */
  children?: ReactNode;
};

/** What happened, whether anything was changed, what to do next, and what to quote. */
export function ProblemText({
  problem,
  withTitle = true,
  next,
  instead,
  children,
}: ProblemTextProps) {
  const t = useTranslations("problems");
  // What only some problems carry: the fault behind a save's outcome, and the address that the service would have to
  // allow.
  const carried = problem.members ?? problem;
  const cause = textMember(carried, "cause");
  const publicAddress = textMember(carried, "publicAddress");
  const reason = isProblemCode(cause) ? cause : problem.code;
  // Gancho could not read the request: the detail is for the developer who wrote it.
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

/** The session ended meanwhile: a link to sign in again, and back to this page. */
export function SignInAgain({ variant = "secondary" }: { variant?: "primary" | "secondary" }) {
  const t = useTranslations("problems");
  const path = usePathname();
  return (
    <ButtonLink variant={variant} href={`/sign-in?callbackUrl=${encodeURIComponent(path)}`}>
      {t("signInAgain")}
    </ButtonLink>
  );
}

/** From here on people count in minutes, and in hours; both in seconds. */
const countedInMinutes = 120;
const countedInHours = 2 * 60 * 60;

/** When it is worth trying again; nothing where that is unknown. */
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
