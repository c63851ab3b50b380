"use client";

import { CopyButton } from "@/components/ui/copy-button";
import type { Connection } from "@/lib/connection/model/connection";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { CredentialsCard } from "./credentials-card";
import { SecretState } from "./secret-field";

type CredentialsViewProps = {
  connection: Connection;
  partnerName: string;
  environmentName: string;
};

/** For those who may look and not change anything: says so, and who can. */
export function CredentialsView({
  connection,
  partnerName,
  environmentName,
}: CredentialsViewProps) {
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
