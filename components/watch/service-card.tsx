import { Section } from "@/components/ui/section";
import { Disclosure } from "@/components/ui/disclosure";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime } from "@/components/ui/time";
import type { Hour, Overview } from "@/lib/watch/model/overview";
import { useFormatter, useTranslations } from "next-intl";

/** How the service answers: a chart with its words, and all of it as a table. */
export function ServiceCard({ overview }: { overview: Overview }) {
  const t = useTranslations("watch.service");
  return (
    <Section title={t("title")} text={t("chart")}>
      <ServiceNotices overview={overview} />
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

function ServiceNotices({ overview }: { overview: Overview }) {
  const t = useTranslations("watch.service");
  const { serviceDownSince, isPaused, everyMinutes, isRead, takesMinutes } = overview;
  return (
    <>
      {serviceDownSince ? (
        <Notice tone="bad">
          {t.rich("down", { time: () => <AbsoluteTime at={serviceDownSince} /> })}
        </Notice>
      ) : null}
      {isPaused ? <Notice tone="warn">{t("paused")}</Notice> : null}
      {everyMinutes !== null && !isRead ? <Notice tone="warn">{t("idle")}</Notice> : null}
      {takesMinutes !== null ? (
        <Notice tone="warn">{t("tooSlow", { minutes: takesMinutes })}</Notice>
      ) : null}
    </>
  );
}

/** A bar for each hour: how long the service took, or red where half of the readings or more failed. */
function AnswerChart({ hours }: { hours: readonly Hour[] }) {
  const t = useTranslations("watch.service");
  const times = hours.flatMap(({ answerMs }) => answerMs ?? []);
  const last = times.at(-1);
  if (last === undefined) return <p className="text-ink-2">{t("noAnswers")}</p>;
  const most = Math.max(...times);
  return (
    <figure className="flex flex-col gap-1">
      <span aria-hidden className="text-xs text-ink-3">
        {t("ms", { ms: most })}
      </span>
      <svg
        role="img"
        aria-label={t("chartAlternative", { least: Math.min(...times), most, last })}
        viewBox={`0 0 ${hours.length} 100`}
        preserveAspectRatio="none"
        className="h-40 w-full border-y border-line"
      >
        {hours.map(({ at, readings, failed, answerMs }, index) => {
          const isBad = readings > 0 && failed >= readings / 2;
          const height = isBad ? 100 : (100 * (answerMs ?? 0)) / Math.max(1, most);
          return (
            <rect
              key={at}
              x={index + 0.1}
              y={100 - height}
              width={0.8}
              height={height}
              className={isBad ? "fill-bad/60" : "fill-brand"}
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
