"use client";

import { Card, CardBody } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import type { Connection } from "@/lib/connection/model/connection";
import { useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";

/** What the operator set: where the service is, and from where it is called. */
export function FactsCard({
  connection: { serviceUrl, publicAddress },
}: {
  connection: Connection;
}) {
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
