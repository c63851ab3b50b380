import { Card, CardBody } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { AbsoluteTime } from "@/components/ui/time";
import { countStates } from "@/components/watch/count-states";
import type { DayState } from "@/lib/watch/model/band";
import type { Overview } from "@/lib/watch/model/overview";
import { useFormatter, useTranslations } from "next-intl";
import { useId } from "react";
import { Ticks } from "./ticks";

type Hour = Overview["hours"][number];

/** How the service answers: a chart and a band of hours, each with its words, and all of it as a table. */
export function ServiceCard({ overview }: { overview: Overview }) {
  const t = useTranslations("watch");
  const format = useFormatter();
  const id = useId();
  const { hours } = overview;
  const states = hours.map(stateOf);
  const counts = countStates(states);
  const hourName = (at: string) =>
    format.dateTime(new Date(at), {
      weekday: "short",
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  return (
    <Card aria-labelledby={id}>
      <CardBody className="flex flex-col gap-5">
        <div>
          <h2 id={id} className="text-base font-semibold">
            {t("service.title")}
          </h2>
          <p className="text-small text-ink-3">{t("service.chart")}</p>
        </div>
        <ServiceNotices overview={overview} />
        {overview.madeUpUntil === null ? null : (
          <p className="text-small text-ink-2">
            {t.rich("service.madeUp", {
              time: () => <AbsoluteTime at={overview.madeUpUntil ?? ""} />,
            })}
          </p>
        )}
        <AnswerChart hours={hours} />
        <div className="flex flex-col gap-2">
          <h3 className="font-semibold">{t("service.readings")}</h3>
          <p className="text-small text-ink-3">{t("service.ticks")}</p>
          <Ticks
            label={t("service.ticksAlternative", counts)}
            states={states}
            titles={hours.map((hour) => `${hourName(hour.at)} · ${t(`states.${stateOf(hour)}`)}`)}
          />
        </div>
        <details>
          <summary className="w-fit rounded-control text-small text-ink-2 underline underline-offset-2">
            {t("service.table")}
          </summary>
          <div
            tabIndex={0}
            role="region"
            aria-label={t("service.caption")}
            className="mt-3 max-h-96 overflow-auto rounded-control border border-line"
          >
            <table className="w-full text-small tabular-nums">
              <caption className="sr-only">{t("service.caption")}</caption>
              <thead className="bg-sunken text-left text-ink-2">
                <tr>
                  {columns.map((column) => (
                    <th key={column} scope="col" className="px-3 py-2 font-medium">
                      {t(`service.columns.${column}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {[...hours].reverse().map((hour) => (
                  <HourLine key={hour.at} hour={hour} name={hourName(hour.at)} />
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </CardBody>
    </Card>
  );
}

const columns = ["hour", "readings", "failed", "changedOutside", "median", "p95"] as const;

function HourLine({ hour, name }: { hour: Hour; name: string }) {
  const t = useTranslations("watch.service");
  const format = useFormatter();
  const ms = (value: number | null) => (value === null ? t("noAnswer") : t("ms", { ms: value }));
  const cells = [
    format.number(hour.readings),
    format.number(hour.failed),
    format.number(hour.changedOutside),
    ms(hour.medianMs),
    ms(hour.p95Ms),
  ];
  return (
    <tr>
      <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
        {name}
      </th>
      {cells.map((cell, index) => (
        <td key={columns[index + 1]} className="px-3 py-1.5 whitespace-nowrap">
          {cell}
        </td>
      ))}
    </tr>
  );
}

function stateOf({ readings, failed, changedOutside }: Hour): DayState {
  if (readings === 0) return "not_read";
  if (changedOutside > 0) return "changed_outside";
  return failed > 0 ? "failing" : "confirmed";
}

function ServiceNotices({ overview }: { overview: Overview }) {
  const t = useTranslations("watch.service");
  const { serviceDownSince, isPaused, everyMinutes, workers, takesMinutes } = overview;
  return (
    <>
      {serviceDownSince ? (
        <Notice tone="bad">
          {t.rich("down", { time: () => <AbsoluteTime at={serviceDownSince} /> })}
        </Notice>
      ) : null}
      {isPaused ? <Notice tone="warn">{t("paused")}</Notice> : null}
      {everyMinutes !== null && workers === 0 ? <Notice tone="warn">{t("idle")}</Notice> : null}
      {takesMinutes !== null ? (
        <Notice tone="warn">{t("tooSlow", { minutes: takesMinutes })}</Notice>
      ) : null}
    </>
  );
}

/** The drawing's units, stretched to its place: an hour is ten wide. */
const height = 100;

function AnswerChart({ hours }: { hours: readonly Hour[] }) {
  const t = useTranslations("watch.service");
  const times = hours.map(({ p95Ms }) => p95Ms).filter((ms) => ms !== null);
  const last = times.at(-1);
  if (last === undefined) return <p className="text-ink-2">{t("noAnswers")}</p>;
  const most = Math.max(...times);
  const top = roundUp(most);
  const width = 10 * Math.max(1, hours.length - 1);
  const y = (ms: number) => height - (height * ms) / top;
  const parts = partsOf(hours);
  return (
    <figure className="flex flex-col gap-1">
      <div className="flex gap-2">
        <div
          aria-hidden
          className="flex w-14 shrink-0 flex-col justify-between text-right text-xs text-ink-3"
        >
          <span>{t("ms", { ms: top })}</span>
          <span>{t("ms", { ms: top / 2 })}</span>
          <span>{t("ms", { ms: 0 })}</span>
        </div>
        <svg
          role="img"
          aria-label={t("chartAlternative", { least: Math.min(...times), most, last })}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="h-40 min-w-0 flex-1 overflow-visible"
        >
          {hours.map(({ at, failed, readings }, index) =>
            readings > 0 && failed >= readings / 2 ? (
              <rect
                key={at}
                x={Math.max(0, 10 * index - 5)}
                y={0}
                width={10}
                height={height}
                className="fill-bad-soft"
              />
            ) : null,
          )}
          {[0, height / 2, height].map((at) => (
            <line
              key={at}
              x1={0}
              x2={width}
              y1={at}
              y2={at}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {parts.map((part) => {
            const points = part.map(({ x, ms }) => `${x},${y(ms)}`).join(" ");
            const [from, to] = [part[0]?.x ?? 0, part.at(-1)?.x ?? 0];
            return (
              <g key={from}>
                <polygon
                  points={`${from},${height} ${points} ${to},${height}`}
                  className="fill-brand-soft"
                />
                <polyline
                  points={part.length > 1 ? points : `${points} ${from + 1},${y(part[0]?.ms ?? 0)}`}
                  vectorEffect="non-scaling-stroke"
                  strokeWidth={2}
                  strokeLinejoin="round"
                  className="fill-transparent stroke-brand"
                />
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption aria-hidden className="flex justify-between pl-16 text-xs text-ink-3">
        <span>{t("ago")}</span>
        <span>{t("now")}</span>
      </figcaption>
    </figure>
  );
}

type Point = { x: number; ms: number };

/** Runs of hours with answers: hours without any stay empty. */
function partsOf(hours: readonly Hour[]): Point[][] {
  const parts: Point[][] = [];
  let open: Point[] | null = null;
  for (const [index, { p95Ms }] of hours.entries()) {
    if (p95Ms === null) {
      open = null;
      continue;
    }
    if (!open) parts.push((open = []));
    open.push({ x: 10 * index, ms: p95Ms });
  }
  return parts;
}

/** The next of 10, 20, 50, 100, 200 … */
function roundUp(ms: number): number {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, ms))));
  return [1, 2, 5, 10].map((times) => times * power).find((value) => value >= ms) ?? 10 * power;
}
