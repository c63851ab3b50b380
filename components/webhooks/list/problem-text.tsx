"use client";

import { RetryAfter } from "@/components/forms/retry-after";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { isProblemCode } from "@/lib/platform/http/model/problem";
import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button-link";
import { usePathname } from "next/navigation";

type ProblemTextProps = {
  /** The members that say something; a problem's code alone will do. */
  problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
  /** Left out where what stands above says it already. */
  withTitle?: boolean;
  /** What to do next, where the place knows better than the catalogue. */
  next?: string;
};

/** What happened, whether anything was changed, what to do next, and what to quote. */
export function ProblemText({ problem, withTitle = true, next }: ProblemTextProps) {
  const t = useTranslations();
  // What only some problems carry: the fault behind a save's outcome, and the address that the service would have to allow.
  const carried = problem.members ?? problem;
  const cause = textMember(carried, "cause");
  const publicAddress = textMember(carried, "publicAddress");
  const reason = isProblemCode(cause) ? cause : problem.code;
  return (
    <div className="flex flex-col gap-1">
      {withTitle || reason !== problem.code ? <p>{t(`problems.${reason}.title`)}</p> : null}
      {problem.detail ? <p>{t("webhooks.serviceSaid", { text: problem.detail })}</p> : null}
      {problem.applied ? <p>{t(`problems.applied.${problem.applied}`)}</p> : null}
      <p>{next ?? t(`problems.${reason}.next`)}</p>
      {publicAddress ? <p>{t("webhooks.publicAddress", { address: publicAddress })}</p> : null}
      <RetryAfter seconds={problem.retryAfter} />
      {problem.requestId ? (
        <p className="text-small text-ink-2">
          {t("problems.requestId", { requestId: problem.requestId })}
        </p>
      ) : null}
    </div>
  );
}

function textMember(carrier: unknown, name: string): string | null {
  if (typeof carrier !== "object" || carrier === null) return null;
  const member: unknown = Reflect.get(carrier, name);
  return typeof member === "string" ? member : null;
}

/** The session ended meanwhile: the way in again, and back to this page. */
export function SignInAgain({ variant = "secondary" }: { variant?: "primary" | "secondary" }) {
  const t = useTranslations("webhooks");
  const path = usePathname();
  return (
    <ButtonLink variant={variant} href={`/sign-in?callbackUrl=${encodeURIComponent(path)}`}>
      {t("signInAgain")}
    </ButtonLink>
  );
}
