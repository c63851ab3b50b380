import { Section } from "@/components/ui/section";
import { Sentences } from "@/components/ui/sentences";
import { ChooseEnvironment } from "./choose-environment";
import { TestStripe } from "@/components/layout/nav/environment-badge";
import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { PageHeader } from "@/components/layout/page-header";
import { StateBadges } from "@/components/partners/state-badges";
import { ButtonLink } from "@/components/ui/button-link";
import { cn } from "@/components/ui/cn";
import type { Overview, Hour } from "@/lib/watch/model/overview";
import { CircleDashed, CircleX, ShieldOff, TriangleAlert } from "lucide-react";
import { useFormatter, useNow, useTranslations } from "next-intl";
import Link from "next/link";
import { Disclosure } from "@/components/ui/disclosure";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";

type OverviewScreenProps = {
  overview: Overview;
  /** Support can open a partner; operators cannot. */
  opensPartner: boolean;
};

/** The state of an environment, for operators and support. */
export function OverviewScreen({ overview, opensPartner }: OverviewScreenProps) {
  const t = useTranslations("watch");
  const { environment } = overview;
  const at = useNow().toISOString();
  const intro = useIntro(overview);
  return (
    <div className="flex flex-col gap-6">
      <TestStripe environment={environment} />
      <PageHeader
        title={t("title")}
        intro={<Sentences of={[intro, t.rich("asOf", { time: () => <RelativeTime at={at} /> })]} />}
        actions={<ChooseEnvironment environments={overview.environments} value={environment} />}
      />
      {/* On a phone, what needs attention comes first. */}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0 xl:order-last">
          <Attention overview={overview} opensPartner={opensPartner} />
        </div>
        <div className="xl:col-span-2 xl:pb-2">
          <Figures overview={overview} />
        </div>
        <ServiceCard overview={overview} />
      </div>
    </div>
  );
}

function useIntro(overview: Overview): string {
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

const figures = [
  { status: "failing", icon: CircleX, tone: "text-bad" },
  { status: "changed_outside", icon: TriangleAlert, tone: "text-warn" },
  { status: "type_missing", icon: CircleDashed, tone: "text-warn" },
  { status: "no_authorization", icon: ShieldOff, tone: "text-warn" },
] as const;

/** Each figure links to the partners that it counts. */
function Figures({ overview: { environment, counts } }: { overview: Overview }) {
  const t = useTranslations("watch.figures");
  const format = useFormatter();
  return (
    <section aria-label={t("title")}>
      <dl className="grid grid-cols-2 gap-4 xl:grid-cols-4">
        {figures.map(({ status, icon: Icon, tone }) => (
          <div
            key={status}
            className="flex flex-col gap-1 rounded-card border border-line bg-surface p-4 shadow-card sm:p-5"
          >
            <dt className="flex items-center gap-2 text-small text-ink-2">
              <Icon aria-hidden className={cn("size-4 shrink-0", tone)} />
              <span>{t(status)}</span>
            </dt>
            <dd className="text-[1.75rem] leading-9 font-semibold tracking-tight tabular-nums">
              {format.number(counts[status])}
            </dd>
            {/* Keeps its place under a zero, where there is nothing to show. */}
            <dd className={cn("min-h-6", counts[status] === 0 && "invisible")}>
              <Link
                href={`/partners?status=${status}&environment=${environment}`}
                prefetch={false}
                className="inline-flex min-h-6 items-center rounded-control text-small text-ink-2 underline underline-offset-2"
              >
                <span>{t(status === "changed_outside" ? "showUnacknowledged" : "show")}</span>
                <span className="sr-only">{`: ${t(status)}`}</span>
              </Link>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Attention({ overview, opensPartner }: OverviewScreenProps) {
  const t = useTranslations("watch.attention");
  const { attention, environment, lookedAt, notLookedAt } = overview;
  const none = notLookedAt === 0 ? t("none") : t("noneAmong", { count: lookedAt });
  const hrefOf = (partner: string) =>
    opensPartner
      ? `/partners/${partner}/${environment}/webhooks`
      : `/partners?search=${encodeURIComponent(partner)}&environment=${environment}`;
  return (
    <Section title={t("title")} text={attention.length === 0 ? none : t("intro")}>
      <ul className="divide-y divide-line">
        {attention.map((partner) => (
          <li
            key={partner.id}
            className="relative flex items-start gap-3 py-3 transition-colors hover:bg-hover"
          >
            <InitialsTile name={partner.name} kind="partner" />
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <Link
                href={hrefOf(partner.id)}
                prefetch={false}
                className="font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
              >
                {partner.name}
              </Link>
              <StateBadges partner={partner} />
            </div>
          </li>
        ))}
      </ul>
      <ButtonLink href={`/partners?sort=status&environment=${environment}`} className="self-start">
        {t("all")}
      </ButtonLink>
    </Section>
  );
}

/** How the payment service answers, as a chart and as a table. */
function ServiceCard({ overview }: { overview: Overview }) {
  const t = useTranslations("watch.service");
  const { serviceDownSince, isPaused, everyMinutes, isRead, takesMinutes } = overview;
  return (
    <Section title={t("title")} text={t("chart")}>
      {serviceDownSince ? (
        <Notice tone="bad">
          <Sentences
            of={[t.rich("down", { time: () => <AbsoluteTime at={serviceDownSince} /> })]}
          />
        </Notice>
      ) : null}
      {isPaused ? <Notice tone="warn">{t("paused")}</Notice> : null}
      {everyMinutes !== null && !isRead ? <Notice tone="warn">{t("idle")}</Notice> : null}
      {takesMinutes !== null ? (
        <Notice tone="warn">{t("tooSlow", { minutes: takesMinutes })}</Notice>
      ) : null}
      <AnswerChart hours={overview.hours} />
      <Disclosure summary={t("table")}>
        <div
          tabIndex={0}
          role="region"
          aria-label={t("caption")}
          className="max-h-96 overflow-auto rounded-control border border-line"
        >
          <HourTable hours={overview.hours} />
        </div>
      </Disclosure>
    </Section>
  );
}

function isBad({ readings, failed }: Hour): boolean {
  return readings > 0 && failed >= readings / 2;
}

/** A bar for each hour: the answer time, or full height in red if at least half of the readings failed. */
function AnswerChart({ hours }: { hours: readonly Hour[] }) {
  const t = useTranslations("watch.service");
  const times = hours.flatMap(({ answerMs }) => answerMs ?? []);
  const last = times.at(-1);
  if (last === undefined) return <p className="text-ink-2">{t("noAnswers")}</p>;
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const failed = hours.filter(isBad).length;
  return (
    <figure className="flex flex-col gap-1">
      <span aria-hidden className="text-xs text-ink-3">
        {t("ms", { ms: most })}
      </span>
      <svg
        role="img"
        aria-label={t("chartAlternative", { least, most, last, failed })}
        viewBox={`0 0 ${hours.length} 100`}
        preserveAspectRatio="none"
        className="h-40 w-full border-y border-line"
      >
        {hours.map((hour, index) => {
          const height = isBad(hour) ? 100 : (100 * (hour.answerMs ?? 0)) / Math.max(1, most);
          return (
            <rect
              key={hour.at}
              x={index + 0.1}
              y={100 - height}
              width={0.8}
              height={height}
              className={isBad(hour) ? "fill-bad/60" : "fill-brand"}
            />
          );
        })}
      </svg>
      <figcaption aria-hidden className="flex justify-between text-xs text-ink-3">
        <span>{t("ago")}</span>
        <span>{t("now")}</span>
      </figcaption>
    </figure>
  );
}

const columns = ["hour", "readings", "failed", "answer"] as const;

function HourTable({ hours }: { hours: readonly Hour[] }) {
  const t = useTranslations("watch.service");
  const format = useFormatter();
  return (
    <table className="w-full text-small tabular-nums">
      <caption className="sr-only">{t("caption")}</caption>
      <thead className="bg-sunken text-left text-ink-2">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-3 py-2 font-medium">
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {[...hours].reverse().map(({ at, readings, failed, answerMs }) => (
          <tr key={at} className="*:px-3 *:py-1.5 *:whitespace-nowrap">
            <th scope="row" className="text-left font-normal">
              {format.dateTime(new Date(at), {
                weekday: "short",
                day: "numeric",
                month: "short",
                hour: "2-digit",
                minute: "2-digit",
                hourCycle: "h23",
                timeZoneName: "short",
              })}
            </th>
            <td>{format.number(readings)}</td>
            <td>{format.number(failed)}</td>
            <td>{answerMs === null ? t("noAnswer") : t("ms", { ms: answerMs })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
