"use client";

import { Table, Cell, RowHeading } from "@/components/ui/table";
import Link from "next/link";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { RelativeTime } from "@/components/ui/time";
import type { PartnerSort } from "@/lib/partners/model/partner-state";
import type { AttentionLine } from "@/lib/attention/model/partners";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Sentences } from "@/components/ui/sentences";
import type { PartnerMatch } from "@/lib/partners/model/page";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Host } from "@/components/webhooks/compare/address";
import { StateBadges } from "./state-badges";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";

type PartnerTableProps = {
  partners: readonly AttentionLine[];
  caption: string;
  /** The path of a partner's page; null for people who may not open it. */
  hrefOf: ((partner: AttentionLine) => string) | null;
  /** The actions on a partner. */
  actionsOf?: (partner: AttentionLine) => ReactNode;
  sort: PartnerSort | null;
  onSort: (sort: PartnerSort | null) => void;
  /** A newer list is loading. */
  busy?: boolean;
};

/** Partners with their webhook hosts and states. Where columns would be too narrow, everything is under the name. */
export function PartnerTable(props: PartnerTableProps) {
  const { partners, caption, hrefOf, actionsOf, busy = false, sort, onSort } = props;
  const t = useTranslations("partners");
  const sorted = (by: PartnerSort) => ({
    sorted: sort === by,
    onSort: () => onSort(sort === by ? null : by),
  });
  return (
    <Table
      caption={caption}
      busy={busy}
      bareOnPhone="and tablet"
      columns={[
        { name: t("columns.partner"), className: "min-[1151px]:w-[18%]", ...sorted("name") },
        { name: t("columns.pix_in"), className: "w-[22%] max-[1150px]:hidden" },
        { name: t("columns.pix_out"), className: "w-[22%] max-[1150px]:hidden" },
        { name: t("columns.status"), className: "max-[1150px]:hidden", ...sorted("status") },
        { name: t("columns.checked"), className: "max-[1150px]:hidden", ...sorted("age") },
        ...(actionsOf
          ? [{ name: t("columns.actions"), isScreenReaderOnly: true, className: "w-0" }]
          : []),
      ]}
    >
      {partners.map((partner) => (
        <tr
          key={partner.id}
          className={hrefOf ? "relative transition-colors hover:bg-hover" : "relative"}
        >
          <RowHeading>
            <span className="flex min-w-0 items-center gap-2.5">
              <InitialsTile name={partner.name} kind="partner" />
              <span className="flex min-w-0 flex-col">
                {hrefOf ? (
                  // The link covers its whole row.
                  <Link
                    href={hrefOf(partner)}
                    prefetch={false}
                    className="break-words after:absolute after:inset-0"
                  >
                    {partner.name}
                  </Link>
                ) : (
                  <span className="break-words">{partner.name}</span>
                )}
                <span className="text-small [overflow-wrap:anywhere] text-ink-3">{partner.id}</span>
                {partner.match ? <Match match={partner.match} /> : null}
              </span>
            </span>
            <dl className="mt-2 flex flex-col gap-1 text-small min-[1151px]:hidden">
              {webhookTypes.map((type) => (
                <div key={type} className="flex gap-3">
                  <dt className="w-14 shrink-0 text-ink-3">{t(`columns.${type}`)}</dt>
                  <dd className="min-w-0">
                    <HostOf partner={partner} type={type} />
                  </dd>
                </div>
              ))}
            </dl>
            <div className="mt-2 min-[1151px]:hidden">
              <StateBadges partner={partner} />
            </div>
          </RowHeading>
          {webhookTypes.map((type) => (
            <Cell key={type} className="max-[1150px]:hidden">
              <HostOf partner={partner} type={type} />
            </Cell>
          ))}
          <Cell className="max-[1150px]:hidden">
            <StateBadges partner={partner} />
          </Cell>
          <Cell className="text-ink-2 max-[1150px]:hidden">
            {partner.checkedAt ? (
              <RelativeTime at={partner.checkedAt} />
            ) : (
              // "Never" would be false for a partner whose readings fail.
              t(partner.failing ? "tried" : "never")
            )}
          </Cell>
          {actionsOf ? <Cell className="relative pl-0">{actionsOf(partner)}</Cell> : null}
        </tr>
      ))}
    </Table>
  );
}

/** Why a search found the partner, where nothing else in its row shows it. */
function Match({ match }: { match: PartnerMatch }) {
  const t = useTranslations("partners");
  const environmentName = useEnvironmentName();
  return (
    <span className="text-small font-normal [overflow-wrap:anywhere] text-ink-2">
      <Sentences
        of={[
          t.rich(`match.${match.by}`, {
            environment: match.by === "host" ? environmentName(match.environment) : "",
            value: match.value,
            data: (chunks) => <span translate="no">{chunks}</span>,
          }),
        ]}
      />
    </span>
  );
}

/** The host that receives one type's messages, or why none is shown. */
function HostOf({ partner, type }: { partner: AttentionLine; type: WebhookType }) {
  const t = useTranslations("partners");
  const host = partner.hosts[type];
  if (host) return <Host host={host} className="text-small" />;
  return <span className="text-ink-3">{t(host === null ? "notRegistered" : "unknownHost")}</span>;
}
