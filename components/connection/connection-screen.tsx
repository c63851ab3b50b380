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
import { useState } from "react";
import { CheckCard } from "./check-card";
import { CredentialsProposalCard, waitingOf } from "./credentials-proposal-card";
import { CredentialsForm } from "./credentials-form";
import { CredentialsView } from "./credentials-view";
import { FactsCard } from "./facts-card";
import { SavedNotice, type Saved } from "./saved-notice";

type ConnectionScreenProps = {
  partner: { id: string; name: string };
  environment: string;
  mayWrite: boolean;
  /** The id of the person who is looking. */
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

/** The shape of what comes. */
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
