"use client";

import { EmptyState } from "@/components/ui/empty-state";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { CircleAlert, Plug, RefreshCw } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { ProblemText } from "@/components/forms/failure-notice";
import { WebhooksHeader } from "./webhooks-header";

type WebhooksUnavailableProps = {
  problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
  /** The page to set up the connection, if the viewer may. */
  connectionHref?: string | undefined;
  /** The names of the admins who may, for everybody else. */
  admins: readonly string[];
};

/** Problems that can be solved on the Connection page. */
const ofConnection = new Set<ProblemCode>(["credentials_rejected", "ip_not_allowed"]);

/** The screen if there is no configuration to show, not even a stale one. */
export function WebhooksUnavailable(props: WebhooksUnavailableProps) {
  const { problem, connectionHref } = props;
  const t = useTranslations();
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  if (problem.code === "not_connected") return <NotConnected {...props} />;
  const retry = () => startTransition(() => router.refresh());

  return (
    <div className="flex flex-col gap-6">
      <WebhooksHeader />
      <EmptyState
        tone="warn"
        icon={<CircleAlert aria-hidden />}
        title={t(`problems.${problem.code}.title`)}
        text={
          <>
            <ProblemText problem={problem} withTitle={false} />
            <p className="mt-1">{t("webhooks.unavailable.nothingChanged")}</p>
          </>
        }
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {connectionHref && ofConnection.has(problem.code) ? (
              <ButtonLink variant="primary" href={connectionHref}>
                {t("webhooks.unavailable.connection")}
              </ButtonLink>
            ) : null}
            <Button pending={pending} icon={<RefreshCw aria-hidden />} onClick={retry}>
              {t("common.tryAgain")}
            </Button>
          </div>
        }
      />
    </div>
  );
}

/** No error: every partner starts without a connection. */
function NotConnected({ connectionHref, admins }: WebhooksUnavailableProps) {
  const { partner, environmentName } = useHere();
  const t = useTranslations("webhooks");
  const names = useFormatter().list(admins, { type: "disjunction" });
  const whom = admins.length > 0 ? "ask" : "waiting";
  const words = { environment: environmentName, partner: partner.name, names };
  return (
    <div className="flex flex-col gap-6">
      <WebhooksHeader />
      <EmptyState
        icon={<Plug aria-hidden />}
        title={t(connectionHref ? "notConnected.title" : "notConnected.waitingTitle", words)}
        text={t(`notConnected.${connectionHref ? "text" : whom}`, words)}
        action={
          connectionHref ? (
            <ButtonLink variant="primary" href={connectionHref}>
              {t("unavailable.connect")}
            </ButtonLink>
          ) : null
        }
      />
    </div>
  );
}
