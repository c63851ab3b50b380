"use client";

import { Fact } from "@/components/ui/fact";
import { Hint } from "@/components/ui/hint";
import { Section } from "@/components/ui/section";
import { useHere } from "@/components/layout/here";
import { PageHeader } from "@/components/layout/page-header";
import { connectionQuery } from "@/lib/connection/client/query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CheckCard } from "./check-card";
import { CredentialsProposalCard } from "./credentials-proposal-card";
import { CredentialsForm } from "./credentials-form";
import { SavedNotice, type Saved } from "./saved-notice";
import { CopyButton } from "@/components/ui/copy-button";
import type { Connection } from "@/lib/connection/model/connection";
import { Eye } from "lucide-react";
import { CredentialsCard } from "./credentials-card";
import { SecretState } from "./secret-field";

type ConnectionScreenProps = { mayWrite: boolean; viewerId: string };

/** How Gancho signs in to the payment service for a partner in one environment. */
export function ConnectionScreen({ mayWrite, viewerId }: ConnectionScreenProps) {
  const t = useTranslations();
  const { partner, environment, environmentName } = useHere();
  const [saved, setSaved] = useState<Saved | null>(null);
  const { data } = useSuspenseQuery(connectionQuery(partner.id, environment));
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={t("connection.title")}
        intro={t("connection.intro", { partner: partner.name, environment: environmentName })}
      />
      <SavedNotice saved={saved} onDismiss={() => setSaved(null)} />
      {data.proposal ? (
        <CredentialsProposalCard
          key={data.proposal.id}
          connection={data}
          proposal={data.proposal}
          reader={mayWrite ? viewerId : null}
          onDone={setSaved}
        />
      ) : null}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {mayWrite ? (
          <CredentialsForm
            connection={data}
            onSaved={(connection, isFirst, waiting) =>
              setSaved(waiting ? { outcome: "waiting" } : { outcome: "saved", connection, isFirst })
            }
          />
        ) : (
          <CredentialsView connection={data} />
        )}
        <div className="grid gap-4">
          <CheckCard connection={data} mayWrite={mayWrite} />
          <FactsCard connection={data} />
        </div>
      </div>
    </div>
  );
}

/** For people who may read and not change: says so, and who can. */
function CredentialsView({ connection }: { connection: Connection }) {
  const t = useTranslations();
  const { partner, environmentName: environment } = useHere();
  const { clientId } = connection;
  return (
    <CredentialsCard connection={connection}>
      {clientId === null ? null : (
        <dl className="flex flex-col gap-4">
          <Fact name={t("connection.credentials.clientId")}>
            <Copied text={clientId} copy={t("connection.credentials.copyClientId")} />
          </Fact>
          <Fact name={t("connection.credentials.clientSecret")}>
            <SecretState />
          </Fact>
        </dl>
      )}
      <Hint icon={Eye}>
        {clientId === null
          ? t("connection.credentials.noneReadOnly", { partner: partner.name, environment })
          : t("connection.credentials.readOnly", { partner: partner.name })}
      </Hint>
    </CredentialsCard>
  );
}

/** What the operator configured: the service's address, and the address it is called from. */
function FactsCard({ connection: { serviceUrl, publicAddress } }: { connection: Connection }) {
  const t = useTranslations("connection");
  return (
    <Section title={t("facts.title")}>
      <dl className="flex flex-col gap-3">
        <Fact name={t("facts.service")} hint={t("facts.serviceHint")}>
          <Copied text={serviceUrl} />
        </Fact>
        {publicAddress === null ? null : (
          <Fact name={t("facts.from")} hint={t("facts.fromHint")}>
            <Copied text={publicAddress} copy={t("diagnosis.address.copy")} />
          </Fact>
        )}
      </dl>
    </Section>
  );
}

/** For a comparison by eye, or to be copied where `copy` names the button. */
function Copied({ text, copy }: { text: string; copy?: string }) {
  return (
    <span className="flex min-h-6 items-center justify-between gap-2">
      <code className="min-w-0 font-mono text-[0.8125rem] leading-5 break-all">{text}</code>
      {copy === undefined ? null : <CopyButton text={text} label={copy} />}
    </span>
  );
}
