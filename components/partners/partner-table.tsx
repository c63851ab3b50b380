"use client";

import Link from "next/link";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { RelativeTime } from "@/components/ui/time";
import { cn } from "@/components/ui/cn";
import type { PartnerSort } from "@/lib/partners/model/filter";
import type { PartnerLine } from "@/lib/partners/model/page";
import { ArrowUp, ArrowUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, Fragment } from "react";
import { StateBadges } from "./state-badges";
import type { WebhookType } from "@/lib/webhooks/model/types";

type PartnerTableProps = {
  partners: readonly PartnerLine[];
  caption: string;
  /** Where a partner opens; null for people who may not see inside. */
  hrefOf: ((partner: PartnerLine) => string) | null;
  /** The actions on a partner; left out: none. */
  actionsOf?: (partner: PartnerLine) => ReactNode;
  sort: PartnerSort | null;
  onSort: (sort: PartnerSort | null) => void;
  /** A newer list is loading. */
  busy?: boolean;
};

/*
 * On a phone each line is a card. The roles are written out because `display` takes a table's own away in some
 * browsers.
 */
const lineStyle =
  "max-md:relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-2 border-t border-line px-4 py-3.5 first:border-t-0 md:table-row md:p-0 md:first:[&>*]:border-t-0";
const cellStyle =
  "md:border-t md:border-line md:px-3 md:py-2.5 md:align-middle md:first:pl-4 md:last:pr-4";
const smallCell =
  "max-md:col-span-2 max-md:grid max-md:grid-cols-[5rem_minmax(0,1fr)] max-md:items-baseline max-md:text-small";

/** Partners with the hosts of their messages and their states. */
export function PartnerTable({
  partners,
  caption,
  hrefOf,
  actionsOf,
  busy,
  ...sorting
}: PartnerTableProps) {
  const t = useTranslations("partners");
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      <table
        role="table"
        aria-busy={busy}
        className={cn(
          "block w-full border-separate border-spacing-0 transition-opacity md:table",
          busy && "opacity-60",
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="text-left text-small text-ink-2">
            <Heading by="name" {...sorting} className="w-[25%] rounded-tl-card">
              {t("columns.partner")}
            </Heading>
            <Heading className="w-[24%]">{t("columns.pix_in")}</Heading>
            <Heading className="w-[24%]">{t("columns.pix_out")}</Heading>
            <Heading by="status" {...sorting}>
              {t("columns.status")}
            </Heading>
            <Heading by="age" {...sorting} className={actionsOf ? "" : "rounded-tr-card"}>
              {t("columns.checked")}
            </Heading>
            {actionsOf ? (
              <Heading className="w-0 rounded-tr-card">
                <span className="sr-only">{t("columns.actions")}</span>
              </Heading>
            ) : null}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block md:table-row-group">
          {partners.map((partner) => (
            <tr
              key={partner.id}
              role="row"
              className={cn(lineStyle, hrefOf && "relative transition-colors hover:bg-hover")}
            >
              <th scope="row" role="rowheader" className={cn(cellStyle, "text-left font-normal")}>
                <PartnerName partner={partner} href={hrefOf?.(partner) ?? null} />
              </th>
              <Cell label={t("columns.pix_in")}>
                <Host partner={partner} type="pix_in" />
              </Cell>
              <Cell label={t("columns.pix_out")}>
                <Host partner={partner} type="pix_out" />
              </Cell>
              <Cell label={t("columns.status")}>
                <StateBadges partner={partner} />
              </Cell>
              <Cell label={t("columns.checked")} className="text-ink-2 md:whitespace-nowrap">
                {partner.checkedAt ? <RelativeTime at={partner.checkedAt} /> : t("never")}
              </Cell>
              {actionsOf ? (
                <td
                  role="cell"
                  className={cn(
                    cellStyle,
                    "relative max-md:col-start-2 max-md:row-start-1 md:pl-0",
                  )}
                >
                  {actionsOf(partner)}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type HeadingProps = Partial<Pick<PartnerTableProps, "sort" | "onSort">> & {
  /** The sort order that a press chooses; left out: none. */
  by?: PartnerSort;
  className?: string;
  children: ReactNode;
};

function Heading({ by, sort, onSort, className, children }: HeadingProps) {
  const isSorted = by !== undefined && sort === by;
  return (
    <th
      scope="col"
      role="columnheader"
      aria-sort={isSorted ? "ascending" : undefined}
      className={cn("bg-sunken px-3 py-2 font-medium first:pl-4 last:pr-4", className)}
    >
      {by && onSort ? (
        <button
          type="button"
          onClick={() => onSort(isSorted ? null : by)}
          className={cn(
            "-mx-1.5 inline-flex min-h-6 items-center gap-1 rounded-control px-1.5 hover:bg-hover hover:text-ink",
            isSorted && "text-ink",
          )}
        >
          {children}
          {isSorted ? (
            <ArrowUp aria-hidden className="size-3.5" />
          ) : (
            <ArrowUpDown aria-hidden className="size-3.5 text-ink-3" />
          )}
        </button>
      ) : (
        children
      )}
    </th>
  );
}

/** With its column's name before it where there are no columns. */
function Cell({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <td role="cell" className={cn(cellStyle, smallCell, className)}>
      <span aria-hidden className="text-ink-3 md:hidden">
        {label}
      </span>
      <span className="min-w-0">{children}</span>
    </td>
  );
}

/** The link covers its whole line. */
function PartnerName({
  partner: { id, name },
  href,
}: {
  partner: PartnerLine;
  href: string | null;
}) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <InitialsTile name={name} kind="partner" />
      <span className="flex min-w-0 flex-col">
        {href ? (
          <Link
            href={href}
            prefetch={false}
            className="[overflow-wrap:anywhere] after:absolute after:inset-0"
          >
            {name}
          </Link>
        ) : (
          <span className="[overflow-wrap:anywhere]">{name}</span>
        )}
        <span className="text-small [overflow-wrap:anywhere] text-ink-3">{id}</span>
      </span>
    </span>
  );
}

/** The host that gets one type's messages, or why there is none to show. */
function Host({ partner, type }: { partner: PartnerLine; type: WebhookType }) {
  const t = useTranslations("partners");
  const host = partner.hosts[type];
  if (host !== null)
    return (
      <span className="font-mono text-small [overflow-wrap:anywhere]">
        {host.split(".").map((label, index) => (
          // A long host breaks between its labels, without characters that copying would include.
          <Fragment key={index}>
            {index > 0 ? (
              <>
                .<wbr />
              </>
            ) : null}
            {label}
          </Fragment>
        ))}
      </span>
    );
  const known = partner.connected && partner.checkedAt !== null;
  return <span className="text-ink-3">{known ? t("notRegistered") : t("unknownHost")}</span>;
}
