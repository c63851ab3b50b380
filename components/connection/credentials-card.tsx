"use client";

import { Section } from "@/components/ui/section";
import { usePersonName } from "@/components/ui/person-name";
import { RelativeTime } from "@/components/ui/time";
import type { Connection } from "@/lib/connection/model/connection";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

type CredentialsCardProps = { connection: Connection; children: ReactNode; actions?: ReactNode };

/** The card around the credentials, whether the viewer can change or only read them. */
export function CredentialsCard({ connection, children, actions }: CredentialsCardProps) {
  const t = useTranslations("connection.credentials");
  const { changedAt, changedBy, approvedBy } = connection;
  return (
    <Section
      title={t("title")}
      dashed={connection.clientId === null}
      footer={
        changedAt !== null || actions ? (
          <>
            <p className="min-w-0">
              {changedAt === null ? null : (
                <Changed at={changedAt} by={changedBy} approver={approvedBy} />
              )}
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

type ChangedProps = { at: string; by: string | null; approver: string | null };

function Changed({ at, by, approver }: ChangedProps) {
  const nameOf = usePersonName();
  const t = useTranslations("connection.credentials");
  const time = () => <RelativeTime at={at} />;
  if (by !== null && approver !== null)
    return t.rich("changedApproved", { name: nameOf(by), approver: nameOf(approver), time });
  return by === null ? t.rich("setUp", { time }) : t.rich("changedBy", { name: nameOf(by), time });
}
