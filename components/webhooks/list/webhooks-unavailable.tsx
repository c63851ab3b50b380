"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { NotConnected } from "@/components/first-hour/not-connected";
import { usePageAgain } from "@/components/layout/use-page-again";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { CircleAlert, RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { ProblemText } from "@/components/forms/failure-notice";
import { WebhooksHeader } from "./webhooks-header";

type WebhooksUnavailableProps = {
  problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
  /** The page to set up the connection, if the viewer may. */
  connectionHref?: string | undefined;
  /** The names of the admins who may, for everybody else. */
  admins: readonly string[];
  /** A reading that may still end; the page is asked for again then. */
  reading?: Promise<unknown>;
};

/** Problems that can be solved on the Connection page. */
const ofConnection = new Set<ProblemCode>(["credentials_rejected", "ip_not_allowed"]);

/** The screen if there is no configuration to show, not even a stale one. */
export function WebhooksUnavailable(props: WebhooksUnavailableProps) {
  const { problem, connectionHref, reading } = props;
  const t = useTranslations();
  const { pending, again } = usePageAgain(reading ?? null);

  // No error: every partner begins without a connection.
  if (problem.code === "not_connected")
    return (
      <div className="flex flex-col gap-4">
        <WebhooksHeader />
        <NotConnected {...props} />
      </div>
    );

  return (
    <div className="flex flex-col gap-6">
      <WebhooksHeader />
      <EmptyState
        tone="warn"
        icon={<CircleAlert aria-hidden />}
        title={t(`problems.${problem.code}.title`)}
        text={<ProblemText problem={problem} withTitle={false} />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {connectionHref && ofConnection.has(problem.code) ? (
              <ButtonLink variant="primary" href={connectionHref}>
                {t("webhooks.unavailable.connection")}
              </ButtonLink>
            ) : null}
            <Button pending={pending} icon={<RefreshCw aria-hidden />} onClick={again}>
              {t("common.tryAgain")}
            </Button>
          </div>
        }
      />
    </div>
  );
}
