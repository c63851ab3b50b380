import { EnvironmentBadge, TestStripe } from "@/components/layout/nav/environment-badge";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { PageHeader } from "@/components/layout/page-header";
import { ButtonLink } from "@/components/ui/button-link";
import { Card, CardBody } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import type { Overview } from "@/lib/watch/model/overview";
import { CircleCheck, CircleX, ShieldOff, TriangleAlert, type LucideIcon } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import Link from "next/link";
import { useId } from "react";
import { AttentionList } from "./attention-list";
import { ServiceCard } from "./service-card";

type OverviewScreenProps = {
  overview: Overview;
  /** Support opens a partner; operators do not see inside. */
  opensPartner: boolean;
  /** The page's position in the list of what needs attention. */
  isFirst: boolean;
};

/** The state of an environment, for people who run or support the installation. */
export function OverviewScreen({ overview, opensPartner, isFirst }: OverviewScreenProps) {
  const t = useTranslations("watch");
  const { environment } = overview;
  return (
    <div className="flex flex-col gap-6">
      <TestStripe current={{ environment, everywhere: false }} />
      <PageHeader
        title={t("title")}
        intro={<Intro overview={overview} />}
        actions={<Environments environments={overview.environments} current={environment} />}
      />
      <Figures overview={overview} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ServiceCard overview={overview} />
        <Attention overview={overview} opensPartner={opensPartner} isFirst={isFirst} />
      </div>
    </div>
  );
}

function Intro({ overview }: { overview: Overview }) {
  const t = useTranslations("watch.intro");
  const { connections, confirmed, failing, notRead, everyMinutes } = overview;
  const environment = useEnvironmentName()(overview.environment);
  if (connections === 0) return t("none", { environment });
  if (everyMinutes === null) return t("off", { count: connections, environment });
  const about = { count: connections, environment, minutes: everyMinutes };
  return confirmed >= connections
    ? t("all", about)
    : t("some", { ...about, confirmed, failing, notRead });
}

function Environments({
  environments,
  current,
}: {
  environments: readonly string[];
  current: string;
}) {
  const t = useTranslations("watch");
  if (environments.length < 2) return <EnvironmentBadge environment={current} />;
  return (
    <nav aria-label={t("environment")}>
      <ul className="flex flex-wrap gap-1">
        {environments.map((name) => (
          <li key={name}>
            <Link
              href={`/overview?environment=${name}`}
              aria-current={name === current ? "page" : undefined}
              className={cn(
                "flex min-h-9 items-center rounded-control px-2.5",
                name === current ? "bg-hover" : "hover:bg-hover",
              )}
            >
              <EnvironmentBadge environment={name} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Figure = {
  name: string;
  value: string;
  more: string;
  icon: LucideIcon;
  tone: string;
  /** Leads to the partners that it counts, or to those of them that need somebody. */
  href?: string;
  hrefText?: string;
};

function Figures({ overview }: { overview: Overview }) {
  const t = useTranslations("watch.figures");
  const format = useFormatter();
  const { connections, confirmed, notRead, unanswered, everyMinutes, environment } = overview;
  const partners = (status: string) => `/partners?status=${status}&environment=${environment}`;
  // Rounded down: 100% only where it is all.
  const share = connections === 0 ? 1 : Math.floor((1_000 * confirmed) / connections) / 1_000;
  // A share of something that nobody has read yet would look like a failure.
  const isBeginning = 2 * notRead > connections;
  const figures: Figure[] = [
    {
      name: everyMinutes === null ? t("confirmedInDay") : t("confirmed", { minutes: everyMinutes }),
      value: isBeginning
        ? format.number(confirmed)
        : format.number(share, { style: "percent", maximumFractionDigits: 1 }),
      more: t(isBeginning ? "confirmedSoFar" : "confirmedOf", {
        confirmed,
        all: connections,
        notRead,
      }),
      icon: CircleCheck,
      tone: "text-ok",
    },
    {
      name: t("failing"),
      value: format.number(overview.failing),
      more: t("failingToday", { count: overview.failingSinceToday }),
      icon: CircleX,
      tone: "text-bad",
      href: partners("failing"),
    },
    {
      name: t("changedOutside"),
      value: format.number(overview.changedOutside),
      more:
        overview.changedOutside === 0 && unanswered === 0
          ? t("changedOutsideBy")
          : t("unacknowledged", { count: unanswered }),
      icon: TriangleAlert,
      tone: "text-warn",
      ...(unanswered > 0 && {
        href: partners("changed_outside"),
        hrefText: t("showUnacknowledged"),
      }),
    },
    {
      name: t("withoutAuthorization"),
      value: format.number(overview.withoutAuthorization),
      more: t("withoutAuthorizationBy"),
      icon: ShieldOff,
      tone: "text-warn",
      href: partners("no_authorization"),
    },
  ];
  return (
    <section aria-label={t("title")}>
      <dl className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {figures.map(({ name, value, more, icon: Icon, tone, href, hrefText }) => (
          <div
            key={name}
            className="flex flex-col gap-1 rounded-card border border-line bg-surface p-4 shadow-card sm:p-5"
          >
            <dt className="flex items-center gap-2 text-small text-ink-2">
              <Icon aria-hidden className={cn("size-4 shrink-0", tone)} />
              {name}
            </dt>
            <dd className="text-[1.75rem] leading-9 font-semibold tracking-tight tabular-nums">
              {value}
            </dd>
            <dd className="text-small text-ink-3">{more}</dd>
            {href ? (
              <dd>
                <Link
                  href={href}
                  className="rounded-control text-small text-ink-2 underline underline-offset-2"
                >
                  {hrefText ?? t("show")}
                  <span className="sr-only">: {name}</span>
                </Link>
              </dd>
            ) : null}
          </div>
        ))}
      </dl>
    </section>
  );
}

function Attention({ overview, opensPartner, isFirst }: OverviewScreenProps) {
  const t = useTranslations("watch.attention");
  const id = useId();
  const { attention, environment, nextCursor } = overview;
  const path = `/overview?environment=${environment}`;
  return (
    <Card aria-labelledby={id}>
      <CardBody className="flex flex-col gap-3">
        <div>
          <h2 id={id} className="text-base font-semibold">
            {t("title")}
          </h2>
          <p className="text-small text-ink-3">{attention.length === 0 ? t("none") : t("intro")}</p>
        </div>
        <AttentionList
          attention={attention}
          environment={environment}
          opensPartner={opensPartner}
        />
        <div className="flex flex-wrap gap-2 empty:hidden">
          {isFirst ? null : <ButtonLink href={path}>{t("first")}</ButtonLink>}
          {nextCursor ? (
            <ButtonLink href={`${path}&cursor=${encodeURIComponent(nextCursor)}`}>
              {t("next")}
            </ButtonLink>
          ) : null}
        </div>
      </CardBody>
    </Card>
  );
}

export function OverviewSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton className="h-14 w-72" />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="h-32" />
        ))}
      </div>
      <Skeleton className="h-96" />
    </div>
  );
}
