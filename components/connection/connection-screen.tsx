"use client";

import { EndedProposals } from "@/components/approvals/ended-proposals";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { PageHeader } from "@/components/layout/page-header";
import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { Card, CardBody } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { connectionQuery } from "@/lib/connection/client/query";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState, useId, type ReactNode } from "react";
import { CheckCard } from "./check-card";
import { CredentialsProposalCard, waitingOf } from "./credentials-proposal-card";
import { CredentialsForm } from "./credentials-form";
import { SavedNotice, type Saved } from "./saved-notice";
import { CopyButton } from "@/components/ui/copy-button";
import type { Connection } from "@/lib/connection/model/connection";
import { Eye } from "lucide-react";
import { CredentialsCard } from "./credentials-card";
import { SecretState } from "./secret-field";

type ConnectionScreenProps = {
  partner: { id: string; name: string };
  environment: string;
  mayWrite: boolean;
  /** The viewer's id. */
  viewerId: string;
};

/** How Gancho signs in to the payment service for a partner in one environment. */
export function ConnectionScreen({
  partner,
  environment,
  mayWrite,
  viewerId,
}: ConnectionScreenProps) {
  const t = useTranslations();
  const environmentName = useEnvironmentName()(environment);
  const [saved, setSaved] = useState<Saved | null>(null);
  const { data, error, refetch, isFetching } = useQuery(connectionQuery(partner.id, environment));
  if (!data && !error) return <ConnectionSkeleton />;
  const names = { partnerName: partner.name, environmentName };
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={t("connection.title")}
        intro={t("connection.intro", { partner: partner.name, environment: environmentName })}
      />
      <SavedNotice
        saved={saved}
        environmentName={environmentName}
        onDismiss={() => setSaved(null)}
      />
      {data && mayWrite ? (
        <EndedProposals
          kind="connection"
          environmentRef={{ partner: partner.id, environment }}
          waiting={waitingOf(data, viewerId)}
        />
      ) : null}
      {data?.proposal ? (
        <CredentialsProposalCard
          key={data.proposal.id}
          connection={data}
          proposal={data.proposal}
          reader={mayWrite ? viewerId : null}
          onDone={setSaved}
        />
      ) : null}
      {data ? (
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {mayWrite ? (
            <CredentialsForm
              {...names}
              connection={data}
              onSaved={(connection, isFirst, waiting) =>
                setSaved(
                  waiting ? { outcome: "waiting" } : { outcome: "saved", connection, isFirst },
                )
              }
            />
          ) : (
            <CredentialsView {...names} connection={data} />
          )}
          <div className="grid gap-4">
            <CheckCard connection={data} mayWrite={mayWrite} />
            <FactsCard connection={data} />
          </div>
        </div>
      ) : (
        <FailureNotice
          failure={error?.failure ?? null}
          unreachable={t("connection.unavailable.unreachable")}
          title={t("connection.unavailable.title")}
          actions={
            <Button pending={isFetching} onClick={() => void refetch()}>
              {t("common.tryAgain")}
            </Button>
          }
        />
      )}
    </div>
  );
}

type CredentialsViewProps = {
  connection: Connection;
  partnerName: string;
  environmentName: string;
};

/** For people who may read and not change: says so, and who can. */
function CredentialsView({ connection, partnerName, environmentName }: CredentialsViewProps) {
  const t = useTranslations();
  const headingId = useId();
  const { clientId } = connection;
  return (
    <CredentialsCard connection={connection} headingId={headingId}>
      {clientId === null ? null : (
        <dl className="flex flex-col gap-4">
          <div className="flex min-w-0 flex-col gap-1">
            <dt className="text-small text-ink-3">{t("connection.credentials.clientId")}</dt>
            <dd className="flex items-center justify-between gap-2">
              <span className="min-w-0 font-mono text-[0.8125rem] leading-5 break-all">
                {clientId}
              </span>
              <CopyButton text={clientId} label={t("connection.credentials.copyClientId")} />
            </dd>
          </div>
          <div className="flex min-w-0 flex-col gap-1">
            <dt className="text-small text-ink-3">{t("connection.credentials.clientSecret")}</dt>
            <dd>
              <SecretState />
            </dd>
          </div>
        </dl>
      )}
      <p className="flex items-start gap-2 text-small text-ink-2">
        <Eye aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 text-pretty">
          {clientId === null
            ? t("connection.credentials.noneReadOnly", {
                partner: partnerName,
                environment: environmentName,
              })
            : t("connection.credentials.readOnly", { partner: partnerName })}
        </span>
      </p>
    </CredentialsCard>
  );
}

/** What the operator configured: the service's address, and the address it is called from. */
function FactsCard({ connection: { serviceUrl, publicAddress } }: { connection: Connection }) {
  const t = useTranslations();
  const headingId = useId();
  return (
    <Card aria-labelledby={headingId}>
      <CardBody className="flex flex-col gap-3">
        <h2 id={headingId} className="text-[0.9375rem] font-semibold">
          {t("connection.facts.title")}
        </h2>
        <dl className="flex flex-col gap-3">
          <Fact name={t("connection.facts.service")} hint={t("connection.facts.serviceHint")}>
            <code className="min-w-0 font-mono text-[0.8125rem] leading-5 break-all">
              {serviceUrl}
            </code>
          </Fact>
          {publicAddress === null ? null : (
            <Fact name={t("connection.facts.from")} hint={t("connection.facts.fromHint")}>
              <code className="min-w-0 font-mono text-[0.8125rem] leading-5 break-all">
                {publicAddress}
              </code>
              <CopyButton text={publicAddress} label={t("connection.diagnosis.address.copy")} />
            </Fact>
          )}
        </dl>
      </CardBody>
    </Card>
  );
}

function Fact({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-small text-ink-3">{name}</dt>
      <dd className="min-w-0">
        <span className="flex min-h-6 items-center justify-between gap-2">{children}</span>
        <span className="text-small text-ink-3">{hint}</span>
      </dd>
    </div>
  );
}

/** The shape of the page to come. */
export function ConnectionSkeleton() {
  const t = useTranslations("connection");
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={t("title")} intro={t("loading")} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card>
          <CardBody className="flex flex-col gap-5">
            <Skeleton className="h-5 w-28" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-4 w-2/3" />
          </CardBody>
        </Card>
        <Card>
          <CardBody className="flex flex-col gap-4">
            <Skeleton className="h-5 w-36" />
            <Skeleton className="h-16 w-full" />
          </CardBody>
        </Card>
      </div>
    </div>
  );
}
