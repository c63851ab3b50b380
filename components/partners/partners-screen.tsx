"use client";

import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Button } from "@/components/ui/button";
import type { PartnerFilter } from "@/lib/partners/client/keys";
import { partnersQuery } from "@/lib/partners/client/query";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { EnvironmentSelect } from "./environment-select";
import { NoPartners, NothingFound, Unavailable } from "./list-states";
import { OperatorActions, useOperatorActions } from "./operator-actions";
import { PartnerTable } from "./partner-table";
import { PartnersHeader } from "./partners-header";
import type { ListReader } from "./list-reader";
import { PartnersSkeleton } from "./partners-skeleton";
import { SearchField } from "./search-field";
import { StatusFilter } from "./status-filter";
import { usePartnerFilter } from "./use-partner-filter";

type PartnersScreenProps = {
  /** As whom the person reads the list. */
  reader: ListReader;
  environments: readonly string[];
  initial: PartnerFilter;
};

/** All partners for staff, the own ones for everybody else. */
export function PartnersScreen({ reader, environments, initial }: PartnersScreenProps) {
  const t = useTranslations("partners");
  const environmentName = useEnvironmentName();
  const { filter, typed, type, narrow, clear } = usePartnerFilter(initial);
  const list = useInfiniteQuery({ ...partnersQuery(filter), placeholderData: keepPreviousData });
  const operator = useOperatorActions();

  const partners = list.data?.pages.flatMap((page) => page.partners) ?? [];
  const narrowed = filter.search !== "" || filter.status !== null;
  return (
    <div className="flex flex-col gap-5">
      <PartnersHeader
        reader={reader}
        environment={
          <EnvironmentSelect
            environments={environments}
            value={filter.environment}
            onChange={(environment) => narrow({ environment })}
          />
        }
        {...(reader === "operator" ? { onCreate: operator.create } : {})}
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField value={typed} onChange={type} />
        {reader === "member" ? null : (
          <StatusFilter value={filter.status} onChange={(status) => narrow({ status })} />
        )}
        <p role="status" className="ml-auto text-small text-ink-3">
          {list.isSuccess && !list.isPlaceholderData
            ? t(list.hasNextPage ? "count.more" : "count.all", { count: partners.length })
            : ""}
        </p>
      </div>
      {reader === "operator" ? <OperatorActions {...operator} /> : null}
      {list.error ? (
        <Unavailable failure={list.error.failure} onRetry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? <PartnersSkeleton /> : null}
      {list.isSuccess && partners.length === 0 ? (
        narrowed ? (
          <NothingFound onClear={clear} />
        ) : (
          <NoPartners reader={reader} />
        )
      ) : null}
      {partners.length > 0 ? (
        <PartnerTable
          partners={partners}
          caption={t("caption", { environment: environmentName(filter.environment) })}
          hrefOf={
            reader === "operator"
              ? null
              : ({ id }) => `/partners/${id}/${filter.environment}/webhooks`
          }
          {...(reader === "operator" ? { actionsOf: operator.actionsOf } : {})}
          busy={list.isPlaceholderData}
        />
      ) : null}
      {list.hasNextPage ? (
        <Button
          pending={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
          className="self-center"
        >
          {t("more")}
        </Button>
      ) : null}
    </div>
  );
}
