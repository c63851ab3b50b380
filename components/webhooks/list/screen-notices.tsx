"use client";

import { useNoNetwork } from "@/lib/platform/http/client/use-no-network";
import { Sentences } from "@/components/ui/sentences";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { isProblemCode, type ProblemCode } from "@/lib/platform/http/model/problem-code";
import { useTranslations } from "next-intl";
import { ProblemText, SignInAgain } from "@/components/forms/failure-notice";

type StaleNoticeProps = {
  /** For what the notice describes. */
  id?: string;
  configuration: Configuration;
  /** Why the last request to Gancho failed. */
  failure: RequestFailure | null;
};

/** Problems that go away by themselves. For the others, the catalogue says what a person has to do. */
const transient = new Set<ProblemCode>([
  "internal_error",
  "too_many_requests",
  "upstream_rate_limited",
  "upstream_unavailable",
  "overloaded",
  "upstream_timeout",
  "connection_refused",
  "connection_failed",
  "proxy_failed",
  "bad_response",
]);

/**
 * Says that the shown configuration may be stale: since when and why. The last of its screen, it stays at the window's
 * lower edge: it comes and goes with the readings, and nothing else moves for it.
 */
export function StaleNotice({ id, configuration, failure }: StaleNoticeProps) {
  const { confirmedAt, staleReason } = configuration;
  const t = useTranslations();
  const noNetwork = useNoNetwork();
  const problem = problemOf(failure ?? staleReason);
  const next = () => {
    if (problem?.code === "signed_out") return t("webhooks.old.signedOut");
    const trying = t("webhooks.old.next");
    if (!problem || transient.has(problem.code)) return trying;
    return `${t(`problems.${problem.code}.next`)} ${trying}`;
  };
  // The banner on top says the rest.
  if (noNetwork)
    return (
      <p id={id} className="sr-only">
        {t("webhooks.old.offline")}
      </p>
    );
  return (
    <Notice
      id={id}
      tone="warn"
      data-at-lower-edge
      className="sticky bottom-3 z-10 shadow-sheet print:static"
      title={
        <Sentences
          of={[t.rich("webhooks.old.title", { time: () => <RelativeTime at={confirmedAt} /> })]}
        />
      }
      {...(problem?.code === "signed_out" ? { actions: <SignInAgain /> } : {})}
    >
      {problem ? (
        <ProblemText problem={problem} next={next()} />
      ) : (
        <p>{`${t("webhooks.old.unreachable")} ${next()}`}</p>
      )}
    </Notice>
  );
}

function problemOf(reason: Configuration["staleReason"] | RequestFailure) {
  if (!reason || !("kind" in reason)) {
    const { code, ...rest } = reason ?? { code: "" };
    return isProblemCode(code) ? { code, ...rest, members: reason } : null;
  }
  return reason.kind === "problem" ? reason.problem : null;
}
