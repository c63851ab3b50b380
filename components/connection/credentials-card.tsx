"use client";

import { Section } from "@/components/ui/section";
import { type Elements, Sentences } from "@/components/ui/sentences";
import { usePersonName } from "@/components/ui/person-name";
import { RelativeTime } from "@/components/ui/time";
import type { Connection } from "@/lib/connection/model/connection";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

type CredentialsCardProps = { connection: Connection; children: Elements; actions?: ReactNode };

/** The card around the credentials, whether the viewer can change or only read them. */
export function CredentialsCard({ connection, children, actions }: CredentialsCardProps) {
  const t = useTranslations("connection.credentials");
  const nameOf = usePersonName();
  const { changedAt, changedBy, approvedBy } = connection;
  const time = () => <RelativeTime at={changedAt ?? ""} />;
  const names = { name: nameOf(changedBy ?? ""), approver: nameOf(approvedBy ?? "") };
  const words =
    changedBy === null ? "setUp" : approvedBy === null ? "changedBy" : "changedApproved";
  return (
    <Section
      title={t("title")}
      dashed={connection.clientId === null}
      footer={
        changedAt !== null || actions ? (
          <>
            <p className="min-w-0">
              <Sentences of={[changedAt === null ? null : t.rich(words, { ...names, time })]} />
            </p>
            {actions ? (
              <div className="flex flex-wrap justify-end gap-2 max-sm:w-full max-sm:*:flex-1">
                {actions}
              </div>
            ) : null}
          </>
        ) : null
      }
    >
      {children}
    </Section>
  );
}
