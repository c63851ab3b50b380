"use client";

import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card, CardBody } from "@/components/ui/card";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import type { ProblemCode } from "@/lib/platform/http/model/problem";
import { CircleAlert, Plug, RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { ProblemText, SignInAgain } from "@/components/forms/failure-notice";
import { WebhooksHeader } from "./webhooks-header";

type WebhooksUnavailableProps = {
  partnerName: string;
  environment: string;
  problem: Pick<ClientProblem, "code"> & Partial<ClientProblem>;
  /** The page to set up the connection, for people who may. */
  connectionHref?: string | undefined;
};

/** Connection problems that can be solved on the connection's page. */
const ofConnection = new Set<ProblemCode>(["credentials_rejected", "ip_not_allowed"]);

/** The screen when there is nothing to show, not even something old. */
export function WebhooksUnavailable(props: WebhooksUnavailableProps) {
  const { partnerName, problem, connectionHref } = props;
  const t = useTranslations();
  const router = useRouter();
  const [pending, startTransition] = useTransition();

  if (problem.code === "not_connected") return <NotConnected {...props} />;
  const retry = () => startTransition(() => router.refresh());

  return (
    <div className="flex flex-col gap-6">
      <WebhooksHeader partnerName={partnerName} />
      <Card role="alert">
        <CardBody className="flex flex-col items-center gap-3 px-6 py-12 text-center sm:py-16">
          <span className="inline-flex size-12 items-center justify-center rounded-full bg-warn-soft text-warn">
            <CircleAlert aria-hidden />
          </span>
          <h2 className="text-base font-semibold text-pretty">
            {t(`problems.${problem.code}.title`)}
          </h2>
          <div className="max-w-md text-pretty text-ink-2">
            <ProblemText problem={problem} withTitle={false} />
            <p className="mt-1">{t("webhooks.unavailable.nothingChanged")}</p>
          </div>
          <div className="mt-2 flex flex-wrap justify-center gap-2">
            {problem.code === "signed_out" ? <SignInAgain variant="primary" /> : null}
            {connectionHref && ofConnection.has(problem.code) ? (
              <ButtonLink variant="primary" href={connectionHref}>
                {t("webhooks.unavailable.connection")}
              </ButtonLink>
            ) : null}
            <Button pending={pending} icon={<RefreshCw aria-hidden />} onClick={retry}>
              {t("common.tryAgain")}
            </Button>
          </div>
        </CardBody>
      </Card>
    </div>
  );
}

/** Nothing is wrong: everybody begins here. */
function NotConnected(props: WebhooksUnavailableProps) {
  const { partnerName, environment, connectionHref } = props;
  const t = useTranslations("webhooks");
  const words = { environment: useEnvironmentName()(environment), partner: partnerName };
  return (
    <div className="flex flex-col gap-6">
      <WebhooksHeader partnerName={partnerName} />
      <Card dashed>
        <CardBody className="flex flex-col items-center gap-3 px-6 py-12 text-center sm:py-16">
          <span className="inline-flex size-12 items-center justify-center rounded-full bg-brand-soft text-brand">
            <Plug aria-hidden />
          </span>
          <h2 className="text-base font-semibold text-pretty">
            {t(connectionHref ? "notConnected.title" : "notConnected.waitingTitle", words)}
          </h2>
          <p className="max-w-md text-pretty text-ink-2">
            {t(connectionHref ? "notConnected.text" : "notConnected.waiting", words)}
          </p>
          {connectionHref ? (
            <ButtonLink variant="primary" href={connectionHref} className="mt-2">
              {t("unavailable.connect")}
            </ButtonLink>
          ) : null}
        </CardBody>
      </Card>
    </div>
  );
}
