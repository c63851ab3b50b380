"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Select } from "@/components/forms/select";
import { replaceAddress } from "@/components/layout/replace-address";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { PageHeader } from "@/components/layout/page-header";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { RelativeTime } from "@/components/ui/time";
import { overviewQuery } from "@/lib/watch/client/queries";
import type { Overview } from "@/lib/watch/model/overview";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, ShieldOff, TriangleAlert, type LucideIcon } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import Link from "next/link";
import { useId, useState, type ReactNode } from "react";
import { AnswerChart } from "./answer-chart";
import { Attention } from "./attention";
import { Numbers, Ticks, useTickSummary } from "./ticks";

type OverviewScreenProps = {
  /** The environment that came with the page. */
  environment: string;
  environments: readonly string[];
  /** Support opens a partner; an operator finds it in the table. */
  reader: "support" | "operator";
};

/** How an environment is, and what in it needs somebody. */
export function OverviewScreen({ environment: given, environments, reader }: OverviewScreenProps) {
  const t = useTranslations("overview");
  const environmentName = useEnvironmentName();
  const [environment, setEnvironment] = useState(given);
  const query = useInfiniteQuery({
    ...overviewQuery(environment),
    placeholderData: keepPreviousData,
  });
  const now = query.data?.pages[0];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={t("title")}
        intro={now ? <Intro overview={now} /> : t("loading")}
        actions={
          environments.length < 2 ? null : (
            <label className="flex items-center gap-2 text-small text-ink-2">
              {t("environment")}
              <span className="w-40">
                <Select
                  value={environment}
                  onChange={(next) => {
                    setEnvironment(next);
                    replaceAddress(`/overview?${new URLSearchParams({ environment: next })}`);
                  }}
                >
                  {environments.map((name) => (
                    <option key={name} value={name}>
                      {environmentName(name)}
                    </option>
                  ))}
                </Select>
              </span>
            </label>
          )
        }
      />
      <FailureNotice
        failure={query.error?.failure ?? null}
        unreachable={t("unreachable")}
        actions={<Button onClick={() => void query.refetch()}>{t("tryAgain")}</Button>}
      />
      {now ? (
        <>
          <ServiceNotice overview={now} />
          <Tiles overview={now} />
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Service hours={now.hours} />
            <Attention
              lines={query.data?.pages.flatMap(({ attention }) => attention) ?? []}
              environment={now.environment}
              reader={reader}
              more={
                query.hasNextPage ? (
                  <Button
                    pending={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {t("attention.more")}
                  </Button>
                ) : null
              }
            />
          </div>
        </>
      ) : query.isPending ? (
        <Shape />
      ) : null}
    </div>
  );
}

function Intro({ overview }: { overview: Overview }) {
  const t = useTranslations("overview");
  const environmentName = useEnvironmentName();
  const { connections, confirmed, everyMinutes, workers, takesMinutes } = overview;
  const said = [
    t("intro", { count: connections, environment: environmentName(overview.environment) }),
    everyMinutes === null
      ? t("readBy.nobody")
      : workers === 0
        ? t("readBy.noWorker", { minutes: everyMinutes })
        : confirmed >= connections
          ? t("readBy.all", { minutes: everyMinutes })
          : t("readBy.some", { minutes: everyMinutes }),
    ...(takesMinutes === null ? [] : [t("readBy.tooSlow", { minutes: takesMinutes })]),
  ];
  return said.join(" ");
}

function ServiceNotice({ overview }: { overview: Overview }) {
  const t = useTranslations("overview");
  const { serviceDownSince, isPaused } = overview;
  if (serviceDownSince !== null)
    return (
      <Notice tone="bad" title={t("service.down")}>
        {t.rich("service.downSince", { time: () => <RelativeTime at={serviceDownSince} /> })}
      </Notice>
    );
  return isPaused ? (
    <Notice tone="warn" title={t("service.paused")}>
      {t("service.pausedText")}
    </Notice>
  ) : null;
}

function Tiles({ overview }: { overview: Overview }) {
  const t = useTranslations("overview.tiles");
  const format = useFormatter();
  const { connections, confirmed, failing, everyMinutes, environment } = overview;
  const share = (count: number, of: number) =>
    // Never rounded up to "all".
    format.number(of === 0 ? 0 : Math.floor((count / of) * 1_000) / 1_000, {
      style: "percent",
      maximumFractionDigits: 1,
    });
  const table = (status: string) => `/partners?${new URLSearchParams({ status, environment })}`;
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile
        icon={CircleCheck}
        tone="text-ok"
        name={
          everyMinutes === null ? t("confirmedToday") : t("confirmed", { minutes: everyMinutes })
        }
        value={connections === 0 ? "–" : share(confirmed, connections)}
        more={t("of", { count: confirmed, all: connections })}
      />
      <Tile
        icon={CircleX}
        tone="text-bad"
        name={t("failing")}
        value={format.number(failing)}
        more={t("failingToday", { count: overview.failingSinceToday })}
        href={table("failing")}
      />
      <Tile
        icon={TriangleAlert}
        tone="text-warn"
        name={t("outside")}
        value={format.number(overview.changedOutside)}
        more={t("unanswered", { count: overview.unanswered })}
        href="#attention"
      />
      <Tile
        icon={ShieldOff}
        tone="text-warn"
        name={t("withoutAuthorization")}
        value={format.number(overview.withoutAuthorization)}
        more={t("ofPartners", { share: share(overview.withoutAuthorization, connections) })}
        href={table("no_authorization")}
      />
    </ul>
  );
}

type TileProps = {
  icon: LucideIcon;
  tone: string;
  name: string;
  value: string;
  more: string;
  /** Where those are that it counts. */
  href?: string;
};

function Tile({ icon: Icon, tone, name, value, more, href }: TileProps) {
  const content = (
    <>
      <span className="flex items-center gap-2 text-small text-ink-2">
        <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
        {name}
      </span>
      <span className="mt-1 text-3xl font-semibold tracking-tight tabular-nums">{value}</span>
      <span className="mt-3 text-small text-ink-3">{more}</span>
    </>
  );
  const style = "flex h-full flex-col rounded-card border border-line bg-surface p-4 shadow-card";
  return (
    <li className="min-w-0">
      {href === undefined ? (
        <div className={style}>{content}</div>
      ) : (
        <Link href={href} prefetch={false} className={`${style} transition-colors hover:bg-hover`}>
          {content}
        </Link>
      )}
    </li>
  );
}

/** The service's answer times and what came of the readings, hour by hour. */
function Service({ hours }: { hours: Overview["hours"] }) {
  const t = useTranslations();
  const format = useFormatter();
  const summary = useTickSummary();
  const id = useId();
  const ticks = hours.map(({ at, readings, failed, changedOutside }) => ({
    id: at,
    state:
      readings === 0
        ? ("not_read" as const)
        : changedOutside > 0
          ? ("changed_outside" as const)
          : failed > 0
            ? ("failing" as const)
            : ("confirmed" as const),
  }));
  const times = hours.flatMap(({ p95Ms }) => p95Ms ?? []);
  const last = times.at(-1);
  const ms = (value: number | null) =>
    value === null ? "–" : t("common.readings.ms", { ms: value });
  return (
    <Card aria-labelledby={id} className="gap-4 p-4 sm:p-5">
      <div>
        <h2 id={id} className="text-[0.9375rem] font-semibold">
          {t("overview.service.title")}
        </h2>
        <p className="text-small text-ink-3">
          {t("overview.service.text", { count: hours.length })}
        </p>
        <p className="mt-1">
          {last === undefined
            ? t("overview.service.none")
            : t("overview.service.range", {
                last,
                least: Math.min(...times),
                most: Math.max(...times),
              })}
        </p>
      </div>
      <AnswerChart hours={hours} />
      <div className="flex flex-col gap-1.5">
        <h3 className="text-[0.9375rem] font-semibold">{t("overview.readings.title")}</h3>
        <p className="text-small text-ink-3">{t("overview.readings.text")}</p>
        <Ticks ticks={ticks} />
        <p className="text-small text-ink-2">{summary(ticks, "hours")}</p>
      </div>
      <Numbers
        label={t("overview.readings.table", { count: hours.length })}
        columns={(["hour", "readings", "failed", "changedOutside", "median", "p95"] as const).map(
          (column) => t(`common.readings.columns.${column}`),
        )}
        rows={() =>
          [...hours].reverse().map((hour) => [
            format.dateTime(new Date(hour.at), {
              day: "numeric",
              month: "short",
              hour: "2-digit",
              minute: "2-digit",
              hourCycle: "h23",
            }),
            format.number(hour.readings),
            format.number(hour.failed),
            format.number(hour.changedOutside),
            ms(hour.medianMs),
            ms(hour.p95Ms),
          ])
        }
      />
    </Card>
  );
}

function Shape(): ReactNode {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {[0, 1, 2, 3].map((tile) => (
          <Skeleton key={tile} className="h-28" />
        ))}
      </div>
      <Skeleton className="h-80" />
    </>
  );
}

/** The shape of what comes. */
export function OverviewSkeleton() {
  const t = useTranslations("overview");
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t("title")} intro={t("loading")} />
      <Shape />
    </div>
  );
}
