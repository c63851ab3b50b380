"use client";

import { usePersonName } from "@/components/ui/person-name";
import { Card, CardBody, CardFooter } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/time";
import type { Connection } from "@/lib/connection/model/connection";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

type CredentialsCardProps = {
  connection: Connection;
  /** The id of the card's heading. */
  headingId: string;
  children: ReactNode;
  actions?: ReactNode;
};

/** The card around the credentials, whether the viewer can change or only read them. */
export function CredentialsCard({
  connection,
  headingId,
  children,
  actions,
}: CredentialsCardProps) {
  const t = useTranslations("connection.credentials");
  const { changedAt, changedBy, approvedBy } = connection;
  return (
    <Card aria-labelledby={headingId} dashed={connection.clientId === null}>
      <CardBody className="flex flex-col gap-5">
        <h2 id={headingId} className="text-[0.9375rem] font-semibold">
          {t("title")}
        </h2>
        {children}
      </CardBody>
      {changedAt !== null || actions ? (
        <CardFooter>
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
        </CardFooter>
      ) : null}
    </Card>
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
